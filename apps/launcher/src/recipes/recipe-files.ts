import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentRecipe, readRecipe } from "@proj/launcher-client";
import { exitCode, ProgramError } from "@proj/program";
import { parse } from "yaml";

const folder = fileURLToPath(new URL("../../recipes", import.meta.url));

/** The names of the recipes that come with the launcher. */
export const recipeNames = (): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => name.slice(0, -".yaml".length))
    .sort();

export const builtInRecipe = (name: string): AgentRecipe =>
  readRecipeFile(join(folder, `${name}.yaml`));

/** @throws ProgramError what is wrong with the file */
export function readRecipeFile(path: string): AgentRecipe {
  try {
    return readRecipe(parse(readFileSync(path, "utf8")));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProgramError(`${path}: ${reason.replaceAll("\n", "\n  ")}`, exitCode.usage);
  }
}
