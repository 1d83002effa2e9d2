import {
  agentPrograms,
  npmProgram,
  programsPython,
  pythonPrograms,
  pythonWith,
} from "@proj/test-kit";
import { type ProgramName, type ProgramTraits, programTraits } from "./program-traits.ts";

/** One of the launcher's agents, installed. */
export interface InstalledProgram extends ProgramTraits {
  readonly name: ProgramName;
  readonly version: string;
  /** The folder of its command. */
  readonly bin: string;
}

/** Those that have subagents and compact their conversations, the slowest first. */
export const mainPrograms: readonly ProgramName[] = [
  ...([
    "opencode",
    "openhands",
    "gemini-cli",
    "qwen-code",
    "copilot",
    "claude-code",
    "codex",
  ] as const),
];

/** Null: it cannot be installed here. */
export async function installProgram(name: ProgramName): Promise<InstalledProgram | null> {
  const { version, bin } = isPython(name) ? await fromPyPi(name) : await fromNpm(name);
  return bin === null ? null : { ...programTraits[name], name, version, bin };
}

type NpmProgram = keyof typeof agentPrograms;
type PythonProgram = keyof typeof pythonPrograms;

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
