import { readFile } from "node:fs/promises";
import type { AgentRecipe } from "@proj/launcher-client";
import { agentPrograms, npmProgram } from "@proj/test-kit";
import { builtInRecipe } from "../../src/recipes/recipe-files.ts";

interface AgentProgram {
  readonly name: keyof typeof agentPrograms;
  /** The calls that it makes beside its work. */
  readonly aside: readonly string[];
  readonly route: "patient" | "demo";
  /** The command that goes on with the last conversation. */
  readonly resume: (command: string) => string;
}

export interface InstalledProgram extends AgentProgram {
  readonly version: string;
  readonly recipe: AgentRecipe;
  /** The folder of its command; null: it cannot be installed. */
  readonly bin: string | null;
}

/** Those that take longest to start come first, so that at the end none of them runs alone. */
const programs: readonly AgentProgram[] = [
  {
    name: "opencode",
    aside: ["title"],
    route: "demo",
    resume: (command) => command.replace("opencode run", "opencode run --continue"),
  },
  {
    name: "qwen-code",
    aside: ["memory"],
    route: "demo",
    resume: (command) => command.replace("qwen ", "qwen --continue "),
  },
  {
    name: "codex",
    aside: [],
    // It does not retry after a 429: the route does.
    route: "patient",
    resume: (command) => command.replace("codex exec", "codex exec resume --last"),
  },
  {
    name: "claude-code",
    aside: [],
    route: "demo",
    resume: (command) => command.replace("claude ", "claude --continue "),
  },
];

export const installed: readonly InstalledProgram[] = await Promise.all(
  programs.map(async (program) => {
    const { npmPackage, version } = agentPrograms[program.name];
    const recipe = builtInRecipe(program.name);
    return { ...program, version, recipe, bin: await npmProgram(npmPackage, version) };
  }),
);

/** The members that the documents say to ignore when a program is replayed; null: none. */
export async function ignoredMembers(name: string): Promise<string | null> {
  const page = new URL("../../../../docs/fork-and-replay.md", import.meta.url);
  const row = new RegExp(`^\\| \`${name}\` \\| \`([^\`]+)\``, "m");
  return row.exec(await readFile(page, "utf8"))?.[1] ?? null;
}
