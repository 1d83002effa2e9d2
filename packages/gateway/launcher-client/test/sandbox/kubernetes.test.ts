import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isLeftOut, temporaryFolder, waitFor } from "@proj/test-kit";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import {
  commandRuntime,
  type KubernetesOptions,
  keptFolders,
  kubernetes,
  readPodTemplate,
} from "../../src/index.ts";
import { failureOf } from "../runtime/failure-of.ts";
import { saidByAgent } from "../runtime/said-by-agent.ts";
import { llm_api_key, startRequest } from "../start-request.ts";
import { expectRewardsDespiteKills } from "./killed-cluster.ts";
import { startKubernetes } from "./kubernetes-cluster.ts";

const cluster = await startKubernetes();
Object.assign(process.env, cluster?.env);
afterAll(() => cluster?.[Symbol.asyncDispose]());
const leftOut = isLeftOut(
  "agents in Kubernetes",
  cluster !== null,
  "run scripts/install-kubernetes.sh; install etcd-server, containerd and runc; run as root",
);
const pods = async (): Promise<readonly string[]> => (await cluster?.pods()) ?? [];
const { image = "none", pod = {} } = cluster ?? {};
const common: KubernetesOptions = { image, pod: readPodTemplate(pod) };
const sandbox = kubernetes(common);
const name = `launcher-${startRequest.session_id}`;
const noPods = () => waitFor(async () => (await pods()).length === 0, "the end of pods", 60_000);

/** Two steps, by nothing but the shell. */
const agent = `/bin/bash -c '
[[ $SIMULATION_START_REQUEST =~ \\"llm_base_url\\":\\"http://([^:]*):([0-9]*)([^\\"]*)\\" ]]
host=\${BASH_REMATCH[1]} port=\${BASH_REMATCH[2]} path=\${BASH_REMATCH[3]}
body="{\\"model\\":\\"policy\\",\\"messages\\":[{\\"role\\":\\"user\\",\\"content\\":\\"19 + 23\\"}]}"
for step in 1 2; do
  exec 3<>/dev/tcp/$host/$port
  printf "POST $path/chat/completions HTTP/1.1\\r\\nHost: $host\\r\\nConnection: close\\r\\nContent-Type: application/json\\r\\nContent-Length: \${#body}\\r\\n\\r\\n$body" >&3
  IFS= read -r status <&3
  case $status in *" 200 "*) ;; *) exit 1 ;; esac
  cat <&3 >/dev/null
done
echo "{\\"status\\": \\"completed\\"}"'`;

describe.skipIf(leftOut)("an agent in Kubernetes", () => {
  test("has its folder, variables, input and limits, and what its pod's template says", async () => {
    const env = { TOKEN: "only for the agent: 'quoted'\nand more" };
    const template = readPodTemplate({
      metadata: { labels: { team: "blue" } },
      spec: {
        ...Object(pod).spec,
        containers: [
          { env: [{ name: "OURS", value: "yes" }], resources: { limits: { cpu: "1" } } },
        ],
      },
    });
    const place = kubernetes({ image, pod: template, timeLimitMs: 60_000 });
    const said = saidByAgent(
      'cat > "$HOME/input"; echo "$TOKEN $OURS"; pwd; until [ -e go ]; do sleep 0.05; done; ulimit -n',
      { env, limits: { memoryBytes: 2 ** 27, openFiles: 100 }, sandbox: place },
    );
    const isRunning = async () =>
      (await cluster
        ?.kubectl("exec", name, "--", "/bin/sh", "-c", 'cat "$LAUNCHER_ROOT/home/input"')
        .catch(() => "")) || null;
    const input = await waitFor(isRunning, "the agent", 60_000);
    expect(JSON.parse(input)).toMatchObject({ session_id: "session-1", llm_api_key });
    const shown = (await cluster?.kubectl("get", "pod", name, "--output=json")) ?? "";
    expect(shown).not.toContain(llm_api_key);
    expect(shown).not.toContain("only for the agent");
    expect(JSON.parse(shown)).toMatchObject({
      metadata: { labels: { team: "blue", "app.kubernetes.io/managed-by": "launcher" } },
      spec: {
        activeDeadlineSeconds: 1860,
        containers: [{ resources: { limits: { cpu: "1", memory: "134217728" } } }],
      },
    });
    await cluster?.kubectl("exec", name, "--", "/bin/sh", "-c", 'echo > "$LAUNCHER_ROOT/work/go"');
    const text = await said;
    expect(text).toContain(`${env.TOKEN} yes\n`);
    expect(text).toMatch(/session-1\/work\n100\n$/);
    await noPods();
  });

  test("that the cluster refuses or cannot start has not begun; one that fails has", async () => {
    const refused = kubernetes({ ...common, options: ["--namespace=none"] });
    expect(await failureOf(commandRuntime("echo 1", { sandbox: refused }))).toMatchObject({
      code: "runtime_not_started",
      last_output: expect.stringContaining('namespaces "none" not found'),
    });
    const unknown = kubernetes({ ...common, image: "Not an image" });
    expect(await failureOf(commandRuntime("echo 1", { sandbox: unknown }))).toMatchObject({
      code: "runtime_not_started",
      last_output: expect.stringContaining("InvalidImageName"),
    });
    await noPods();
    const failed = commandRuntime("echo it said so >&2; exit 125", { sandbox });
    expect(await failureOf(failed)).toMatchObject({
      code: "runtime_exited",
      message: expect.stringMatching(/^it said so .*exited with code 125/),
    });
    await noPods();
    const greedy = commandRuntime('x=x; while :; do x="$x$x"; done', {
      ...{ sandbox, limits: { memoryBytes: 2 ** 25 } },
    });
    expect((await failureOf(greedy)).code).toBe("runtime_exited");
    await noPods();
  });

  /** Runs an agent until it has written the file `begun`. */
  async function begun(command: string) {
    const parent = await temporaryFolder();
    onTestFinished(() => parent.remove());
    const folder = keptFolders(parent.path).of(startRequest.session_id);
    await folder.open();
    const abort = new AbortController();
    const runtime = commandRuntime(`${command}; echo > begun; sleep 1000`, { sandbox });
    const run = runtime.run(startRequest, { signal: abort.signal, folder });
    run.catch(() => {});
    const look = 'cat "$LAUNCHER_ROOT/work/begun"';
    const isThere = () => cluster?.kubectl("exec", name, "--", "/bin/sh", "-c", look);
    await waitFor(() => isThere()?.then(Boolean, () => false), "the agent", 60_000);
    return { run, abort, folder };
  }

  test("is gone after an abort, and its folder is here", async () => {
    const { run, abort, folder } = await begun("echo half > work; ln -s /etc/passwd link");
    abort.abort(new Error("stopped"));
    await expect(run).rejects.toThrow("stopped");
    const { work } = await folder.open();
    expect(await readFile(join(work, "work"), "utf8")).toBe("half\n");
    await noPods();
  });

  test("that somebody deletes is lost, which is not its fault", async () => {
    const { run } = await begun(":");
    await cluster?.kubectl("delete", "pod", name, "--wait=false");
    await expect(run).rejects.toMatchObject({ code: "runtime_lost" });
    await noPods();
  });

  test("whose connection breaks is lost, and no pod is left", async () => {
    const { run } = await begun(":");
    const startServer = await cluster?.killServer();
    await startServer?.();
    await expect(run).rejects.toMatchObject({
      code: "runtime_lost",
      message: expect.stringContaining("the connection to its pod broke"),
    });
    await noPods();
  });
});

test.skipIf(leftOut)(
  "simulations in Kubernetes have one reward each, though launchers, API server and pods are killed",
  { timeout: 240_000 },
  async () => {
    const flags = ["--wait=false", "--ignore-not-found"];
    const end = async (pod: string) => !!(await cluster?.kubectl("delete", pod, ...flags));
    const killControl = async () => (await cluster?.killServer())?.();
    const killed = { place: common, agent, agents: pods, end, killControl };
    await expectRewardsDespiteKills(killed, 20, [2, 6, 10]);
    await noPods();
  },
);
