import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { progress } from "../../terminal/progress.ts";

const CACHE = fileURLToPath(new URL("../../../.cache/", import.meta.url));
const LONGEST_STEP_MS = 900_000;

/** One program to run in the installation's folder. */
export interface InstallStep {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

type Steps = (folder: string) => AsyncIterable<InstallStep> | Iterable<InstallStep>;

const run = promisify(execFile);
/** By peer: an installation that failed for one row is not tried again for the next. */
const attempts = new Map<string, Promise<string | null>>();

/** A peer's folder, which the repository ignores. */
export function peerFolder(name: string): string {
  return join(CACHE, name);
}

/**
 * Installs a peer on first use; later runs find it.
 * @param wanted what to install, with versions: if that changes, it is installed again
 * @returns why it cannot be installed here, or null
 */
export function installPeer(name: string, wanted: string, steps: Steps): Promise<string | null> {
  const begun = attempts.get(name) ?? install(name, wanted, steps);
  attempts.set(name, begun);
  return begun;
}

async function install(name: string, wanted: string, steps: Steps): Promise<string | null> {
  const folder = peerFolder(name);
  const done = join(folder, ".installed");
  if (existsSync(done) && readFileSync(done, "utf8") === wanted) return null;
  progress(`installing ${wanted} into bench/.cache/${name} (once)`);
  mkdirSync(folder, { recursive: true });
  try {
    for await (const step of steps(folder)) await runStep(folder, step);
  } catch (error) {
    return reasonOf(error);
  }
  writeFileSync(done, wanted);
  return null;
}

/** A step's standard output. */
export async function runStep(folder: string, step: InstallStep): Promise<string> {
  const { stdout } = await run(step.command, [...step.args], {
    cwd: step.folder ?? folder,
    env: { ...process.env, ...step.environment },
    timeout: LONGEST_STEP_MS,
    maxBuffer: 1 << 26,
  });
  return stdout;
}

/** A Python virtual environment with these packages. Only wheels, so installing runs no package's code. */
export async function installWheels(
  name: string,
  requirements: readonly string[],
): Promise<string | null> {
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  return installPeer(name, requirements.join(" "), () => [
    { command: "python3", args: ["-m", "venv", ".venv"] },
    { command: ".venv/bin/python", args: [...pip, "--only-binary", ":all:", ...requirements] },
  ]);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "ENOENT" && "path" in error)
    return `${String(error.path)} is not installed`;
  const said = "stderr" in error ? String(error.stderr).trim() : "";
  if (said !== "") progress(said.slice(-2000));
  // The report goes into a README, which must not contain this machine's addresses and paths.
  const last = (said || error.message).split("\n").at(-1) ?? "";
  return `it cannot be installed: ${last.replaceAll(/(?:https?:\/)?\/\S+/g, "…").trim()}`;
}
