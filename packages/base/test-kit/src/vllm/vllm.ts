import { execFile, spawn } from "node:child_process";
import { existsSync, globSync, statfsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isLeftOut } from "../left-out.ts";
import { freePort } from "../listen.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { waitFor } from "../wait-for.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../../../", import.meta.url));
/** The virtual environment of an installed vLLM, which has torch and transformers: `VLLM_HOME`, or this workspace's. */
export const vllmHome: string = process.env.VLLM_HOME ?? `${root}node_modules/.cache/vllm`;
const home = vllmHome;
const startMs = 300_000;

/** A running vLLM on this machine's processors, with a tiny random model. */
export interface Vllm extends AsyncDisposable {
  /** The base URL, ending in `/v1`. */
  readonly url: string;
  /** The folder of the model, which has its tokenizer and chat template. */
  readonly model: string;
  /** Runs a program in vLLM's own environment. @returns what it printed */
  python(program: string, ...args: readonly string[]): Promise<string>;
}

/** Whether a suite with the real engine has to be left out, on a small disk even where all suites are required. */
export function isLeftOutWithoutVllm(suite: string): boolean {
  const { bavail, bsize } = statfsSync(root);
  const isThere = existsSync(`${home}/bin/vllm`);
  const isSmall = !isThere && bavail * bsize < 20e9;
  if (isSmall) console.warn(`Left out: ${suite} (vLLM needs 20 GB of free disk)`);
  return (
    isSmall ||
    isLeftOut(
      suite,
      isThere,
      "scripts/install-vllm.sh installs vLLM, or VLLM_HOME names its folder",
    )
  );
}

/** Writes a tiny random model with a tokenizer and a chat template into a folder, with vLLM's environment. */
export async function makeTinyModel(folder: string): Promise<void> {
  const texts = globSync("docs/*.md", { cwd: root }).map((file) => root + file);
  const make = fileURLToPath(new URL("make-model.py", import.meta.url));
  const env = { ...process.env, ...environment };
  await run(`${home}/bin/python`, [make, folder, ...texts], { env, timeout: startMs });
}

export async function startVllm(): Promise<Vllm> {
  const folder = await temporaryFolder();
  const env = { ...process.env, ...environment };
  const options = { env, timeout: startMs };
  await makeTinyModel(folder.path);
  const port = await freePort();
  const server = spawn(
    `${home}/bin/python`,
    [`${home}/bin/vllm`, "serve", folder.path, "--port", String(port), ...flags],
    {
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let printed = "";
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed = (printed + text).slice(-10_000);
    });
  const hasEnded = (): boolean => server.exitCode !== null || server.signalCode !== null;
  const stop = async (): Promise<void> => {
    // It has processes of its own.
    if (!hasEnded() && server.pid !== undefined) process.kill(-server.pid, "SIGKILL");
    await folder.remove();
  };
  const isHealthy = async (): Promise<boolean> => {
    if (hasEnded()) throw new Error(`vLLM has ended:\n${printed}`);
    const health = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
    return health?.status === 200;
  };
  await waitFor(isHealthy, "vLLM to serve", startMs).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    url: `http://127.0.0.1:${port}/v1`,
    model: folder.path,
    python: async (program, ...args) =>
      (await run(`${home}/bin/python`, ["-c", program, ...args], options)).stdout,
    [Symbol.asyncDispose]: stop,
  };
}

const environment = {
  VLLM_TARGET_DEVICE: "cpu",
  VLLM_SERVER_DEV_MODE: "1",
  VLLM_CPU_KVCACHE_SPACE: "1",
  VLLM_CPU_OMP_THREADS_BIND: "nobind",
  OMP_NUM_THREADS: "1",
  HF_HUB_OFFLINE: "1",
  VLLM_NO_USAGE_STATS: "1",
  DO_NOT_TRACK: "1",
};

const flags = [
  ...["--served-model-name", "tiny", "--host", "127.0.0.1"],
  ...["--enable-auto-tool-choice", "--tool-call-parser", "hermes"],
  ...["--max-model-len", "8192", "--dtype", "float32", "--enforce-eager", "--max-num-seqs", "16"],
  ...["--enable-scale-out", "--logprobs-mode", "processed_logprobs"],
];
