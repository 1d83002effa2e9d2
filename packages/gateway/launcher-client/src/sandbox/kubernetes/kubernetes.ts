import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";
import { limitLines } from "../../child-process/command-limits.ts";
import { shellQuote } from "../../child-process/shell-quote.ts";
import { poll } from "../../poll.ts";
import { ownOfImages } from "../image-variables.ts";
import { announcement, type Sandbox, type SandboxedScript } from "../sandbox.ts";
import {
  agentContainer,
  agentPod,
  type PodTemplate,
  readPodTemplate,
  rootVariable,
} from "./agent-pod.ts";
import { isAway, podScript } from "./pod-script.ts";

export interface KubernetesOptions {
  /** The image of agents, with `/bin/sh`, `tar` and the programs that they use. */
  readonly image: string;
  /** Arguments of every call of `kubectl`: `--context=training`, `--namespace=agents`. */
  readonly options?: readonly string[];
  /** What else pods have. @default nothing */
  readonly pod?: PodTemplate;
  /**
   * Half an hour and this long after its start the cluster ends a pod, even one that no launcher knows. In
   * milliseconds. @default never
   */
  readonly timeLimitMs?: number;
}

const askMs = 300_000;

/**
 * Kubernetes: each attempt is a pod that `kubectl` makes. The agent runs in it with the streams of a command of this
 * machine; its folder is brought there, and fetched when it ends, up to 4 GiB. `enter` throws a TypeError for another
 * user: the image or the pod's template says who agents are.
 */
export function kubernetes({
  image,
  options = [],
  pod = readPodTemplate({}),
  timeLimitMs,
}: KubernetesOptions): Sandbox {
  const ask = (verb: string, ...args: readonly string[]): Promise<string> =>
    askKubectl([verb, ...options, ...args]);
  return {
    description: "Kubernetes",
    network: "machine",
    isElsewhere: true,
    enter: (script) => {
      const { session_id, folder, limits, user } = script;
      if (user !== null) throw new TypeError("pods run agents as their image's user");
      const { memoryBytes, ...others } = limits;
      const { root } = folder;
      const name = nameOf(session_id);
      const end = `end-of-script-${randomUUID()}`;
      const pods = { name, session_id, image, root, memoryBytes, timeLimitMs };
      const manifest = JSON.stringify(agentPod(pods, pod));
      return {
        file: "/bin/sh",
        args: ["-c", podScript({ name, manifest, root, end, options })],
        // Programs that kubectl gets its credentials from need variables that nobody can list.
        env: ownEnvironment(),
        cwd: "/",
        user: null,
        goAhead: `${scriptInside({ ...script, limits: others })}\n${end}\n`,
        isAnnounced: true,
      };
    },
    abandon: async (session_id) =>
      void (await ask("delete", "pod", nameOf(session_id), "--ignore-not-found", "--wait=false")),
    endedBy: async (session_id) => {
      const name = nameOf(session_id);
      const text = await ask("get", "pod", name, "--ignore-not-found", "--output=json");
      if (text.trim() === "") return "its pod is gone";
      const { metadata, status } = podShape.parse(JSON.parse(text));
      const ends = status.containerStatuses.map(({ state }) => state.terminated?.reason);
      if (ends.includes("OOMKilled")) return null;
      if (metadata.deletionTimestamp !== undefined) return "its pod was deleted";
      const why = [status.reason, status.message].filter((text) => text !== undefined);
      if (status.phase !== "Running") return `its pod is ${[status.phase, ...why].join(": ")}`;
      const command = ["/bin/sh", "-c", `cat "$${rootVariable}/ended"`];
      const code = await ask("exec", name, "-c", agentContainer, "--", ...command).catch(() => "");
      if (code === "") return "the connection to its pod broke";
      return code === "0\n" ? "its folder was not fetched" : null;
    },
  };
}

const podShape = z.object({
  metadata: z.object({ deletionTimestamp: z.string().optional() }),
  status: z.object({
    phase: z.string().optional(),
    reason: z.string().optional(),
    message: z.string().optional(),
    containerStatuses: z
      .array(
        z.object({
          state: z.object({ terminated: z.object({ reason: z.string().optional() }).optional() }),
        }),
      )
      .default([]),
  }),
});

/** Any launcher finds an attempt's pod by its name. */
function nameOf(session_id: string): string {
  const isName = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/.test(session_id);
  const hash = createHash("sha256").update(session_id).digest("hex").slice(0, 40);
  return `launcher-${isName ? session_id : hash}`;
}

/** The agent's script with its variables, which are secret and so are neither in the pod nor in an argument. */
function scriptInside({ script, cwd, env, limits }: SandboxedScript): string {
  const variables = Object.entries(env).filter(
    ([name]) => /^[A-Za-z_]\w*$/.test(name) && !ownOfImages.has(name),
  );
  const exports = variables.map(([name, value]) => `export ${name}=${shellQuote(value)}\n`);
  return `rm -f "$0"\n${exports.join("")}cd ${shellQuote(cwd)} || exit 126\n${limitLines(limits)}${announcement}${script}`;
}

/** An API server that is away is asked again. @throws Error what kubectl says */
async function askKubectl(args: readonly string[]): Promise<string> {
  const options = { env: ownEnvironment(), timeout: askMs, maxBuffer: 16 * 2 ** 20 };
  const said = await poll(
    async () => {
      try {
        const { stdout } = await promisify(execFile)("kubectl", [...args], options);
        return { done: true, value: stdout };
      } catch (error) {
        if (!new RegExp(isAway).test(String(error))) throw error;
        return { done: false };
      }
    },
    { timeoutMs: askMs, minDelayMs: 1_000, maxDelayMs: 10_000 },
  );
  if (said === null) throw new Error("Kubernetes' API server is away");
  return said;
}

const ownEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
