import { markVariable } from "../../child-process/command-mark.ts";
import { shellQuote } from "../../child-process/shell-quote.ts";
import { agentContainer, rootVariable } from "./agent-pod.ts";

export interface PodScript {
  readonly name: string;
  /** The pod, as JSON. */
  readonly manifest: string;
  /** The attempt's folder, at the same path here and there. */
  readonly root: string;
  /** The line after the agent's script on the standard input. */
  readonly end: string;
  /** Arguments of `kubectl`. */
  readonly options: readonly string[];
}

/** What `kubectl` says of an API server that it does not reach. */
export const isAway = "was refused|Unable to connect|i/o timeout|ServiceUnavailable|etcdserver";

/** In a pod whose container waits for an image or a secret that is not there. */
const stuck = ["ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "RunContainerError"];

/** How much of an attempt's folder is fetched, in bytes. */
const maxFolder = 4 * 2 ** 30;

const here = `cd "$${rootVariable}"`;
const receiving = `umask 077; ${here} && while IFS= read -r line && [ "$line" != "$0" ]; do printf "%s\\n" "$line"; done > run && tar -xof -`;
/** `kubectl` tells its own failure by a code too, so the agent's is asked for. */
const running = `${here} && { /bin/sh ./run; echo $? > ended; }`;

/**
 * A script for this machine that runs an agent in a pod of its own: it makes the pod, waits for its turn, brings the
 * attempt's folder there, runs the agent with the streams of this script, and fetches the folder. Its standard input
 * is the agent's script, the line `end`, and the agent's own input.
 *
 * SIGTERM, which reaches its group first and then each marked process, fetches the folder as it is and deletes the pod; if the launcher is gone, nobody wants the folder. After a
 * failure the pod stays, and says what ended it.
 */
export const podScript = ({ name, manifest, root, end, options }: PodScript): string => `
unset ${markVariable}
k() { verb=$1; shift; kubectl "$verb" ${options.map(shellQuote).join(" ")} "$@"; }
inside() { k exec "$@" </dev/null; }
in_pod="${name} -c ${agentContainer} --"
leave() { k delete pod ${name} --wait=false --ignore-not-found </dev/null >/dev/null; }
fail() { echo "$1" >&2; exit 1; }
fetch() {
  cd ${shellQuote(root)} && mkdir fetched &&
    inside $in_pod /bin/sh -c '${here} && tar -cf - work home' | head -c ${maxFolder} |
      tar -C fetched --no-same-permissions -xof - && chmod -R u+rwX fetched &&
    find fetched ! -type f ! -type d ! -type l -delete && [ ! -L fetched/work ] && [ ! -L fetched/home ] &&
    mv fetched/work fetched/home . && rm -rf fetched
}
stop() { trap "" TERM; kill -0 $PPID 2>/dev/null && [ -n "$begun" ] && fetch; leave; exit 143; }
begun=
trap stop TERM
run=
while IFS= read -r line && [ "$line" != ${end} ]; do run="$run$line
"; done
while k get --raw=/readyz </dev/null 2>&1 | grep -qE ${shellQuote(isAway)}; do sleep 1; done
printf %s ${shellQuote(manifest)} | k create -f - >/dev/null || exit 1
pause=1
while :; do
  state=$(k get pod ${name} -o 'jsonpath={.status.phase} {.status.containerStatuses[?(@.name=="${agentContainer}")].ready} {.status.reason} {.status.message} {.status.containerStatuses[?(@.name=="${agentContainer}")].state}' </dev/null 2>&1)
  case $state in
    "Running true "*) break ;;
    Failed*|Succeeded*|*NotFound*|*CreateContainer*Error*|${stuck.map((reason) => `*${reason}*`).join("|")}) fail "its pod does not begin: $state" ;;
  esac
  sleep $pause
  [ $pause -ge 15 ] || pause=$((pause + 1))
done
{ printf '%s%s\\n' "$run" ${end}; tar -C ${shellQuote(root)} -cf - work home tmp; } |
  k exec -i $in_pod /bin/sh -c ${shellQuote(receiving)} ${end} >&2 || fail "its folder was not brought to the pod"
begun=yes
rm -rf ${["work", "home"].map((folder) => shellQuote(`${root}/${folder}`)).join(" ")}
k exec -i $in_pod /bin/sh -c ${shellQuote(running)} || fail "the connection to the pod broke"
code=$(inside $in_pod /bin/sh -c '${here} && cat ended') || exit 1
fetch || { [ "$code" != 0 ] && exit $code; fail "its folder was not fetched"; }
[ "$code" = 0 ] || exit $code
leave
`;
