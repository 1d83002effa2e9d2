import { existsSync } from "node:fs";
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { parse } from "smol-toml";
import { refusalsOf } from "./task-refusals.ts";
import { readSettings } from "./task-schema.ts";
import type { TaskSettings } from "./task-settings.ts";

/** A Harbor task folder that can be run. */
export interface TaskFolder {
  /** The folder's own name. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly settings: TaskSettings;
  /** Steps in order; a task without `steps` is one step of the name "". */
  readonly instructions: ReadonlyMap<string, string>;
}

export interface ReadTask {
  readonly task: TaskFolder | null;
  /** Each names the member or the file, and says what is wrong with it. */
  readonly problems: readonly string[];
}

/**
 * Whether a folder is a task that can be run as it is.
 * @param ignored members, such as `environment.storage_mb`, that may be disregarded
 */
export async function readTask(path: string, ignored: readonly string[] = []): Promise<ReadTask> {
  const folder = resolve(path);
  const text = await readFile(join(folder, "task.toml"), "utf8").catch(() => null);
  if (text === null) return { task: null, problems: ["task.toml: cannot be read"] };
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    const message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return { task: null, problems: [`task.toml: ${message}`] };
  }
  const read = readSettings(value);
  if ("problems" in read) return { task: null, problems: read.problems };
  const { settings } = read;
  const refusals = refusalsOf(settings).filter(({ member }) => !ignored.includes(member));
  const problems = [
    ...refusals.map(({ member, why }) => `${member}: ${why}`),
    ...missingIn(folder, settings),
    ...(await escaping(folder)),
  ];
  const names = settings.steps?.map(({ name }) => name) ?? [""];
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    problems.push("steps: their names must be unique");
  const instructions = new Map<string, string>();
  for (const name of names) {
    const file = join(stepPath(name), "instruction.md");
    const said = await readFile(join(folder, file), "utf8").catch(() => null);
    if (said === null) problems.push(`${file}: cannot be read`);
    else instructions.set(name, said);
  }
  const task = { name: basename(folder), path: folder, settings, instructions };
  return { task: problems.length > 0 ? null : task, problems };
}

/** The folder of a step, relative to its task. */
export const stepPath = (name: string): string => (name === "" ? "" : join("steps", name));

/** What the file of a step is, or the task's own if the step has none; null: neither has it. */
export function ofStep(folder: string, step: string, file: string): string | null {
  const places = [...new Set([join(folder, stepPath(step), file), join(folder, file)])];
  return places.find((place) => existsSync(place)) ?? null;
}

function missingIn(folder: string, settings: TaskSettings): readonly string[] {
  const has = (path: string): boolean => existsSync(join(folder, path));
  const problems: string[] = [];
  for (const place of ["environment", "tests"])
    for (const name of ["docker-compose.yaml", "docker-compose.yml", "singularity-compose.yaml"])
      if (has(join(place, name))) problems.push(`${place}/${name}: several containers are not run`);
  if (has("trajectory.json")) problems.push("trajectory.json: a prior context is not loaded");
  if (!has("environment/Dockerfile") && settings.environment.docker_image === undefined)
    problems.push("environment: needs a Dockerfile or docker_image");
  for (const { name, verifier } of settings.steps ?? [{ name: "", verifier: settings.verifier }]) {
    const isBundled =
      verifier.environment?.docker_image ?? ofStep(folder, name, "tests/Dockerfile");
    if (!isBundled && ofStep(folder, name, "tests/test.sh") === null)
      problems.push(`${join(stepPath(name), "tests/test.sh")}: cannot be found`);
  }
  for (const place of ["tests", "solution"])
    if (has(join(place, ".harborignore")))
      problems.push(`${place}/.harborignore: files are not left out`);
  return problems;
}

/** Links that lead out of the task: what they name would be copied into containers. */
async function escaping(folder: string): Promise<readonly string[]> {
  const root = await realpath(folder);
  const problems: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isSymbolicLink() || !(await lstat(path)).isSymbolicLink()) continue;
    const target = await realpath(path).catch(() => null);
    if (target === null || relative(root, target).startsWith(".."))
      problems.push(`${relative(folder, path)}: the link leads out of the task`);
  }
  return problems;
}

/** The folder itself, if it is a task, or else the tasks in it, by name. */
export async function findTasks(path: string): Promise<readonly string[]> {
  if (existsSync(join(path, "task.toml"))) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => existsSync(join(path, entry.name, "task.toml")))
    .map((entry) => join(path, entry.name))
    .sort();
}
