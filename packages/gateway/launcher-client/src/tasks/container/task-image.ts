import { createHash } from "node:crypto";
import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { askEngine, callEngine, type EngineName } from "./engine.ts";

/** An image by its digest, and what its containers begin with. */
export interface TaskImage {
  readonly id: string;
  readonly env: readonly string[];
  readonly workdir: string;
}

/** What an image is made of: a folder with a Dockerfile, or an image that exists. */
export type ImageSource =
  | { readonly folder: string; readonly buildMs: number }
  | { readonly image: string; readonly buildMs: number };

/** The label of images and containers of tasks. */
export const taskLabel = "launcher.task";
const repository = "localhost/launcher-task";

/** Images of tasks, each made once: later launchers find it by the content of its folder. */
export class TaskImages {
  readonly #engine: EngineName;
  readonly #made = new Map<string, Promise<TaskImage>>();

  constructor(engine: EngineName) {
    this.#engine = engine;
  }

  /** @throws Error it cannot be made */
  async of(source: ImageSource, signal: AbortSignal): Promise<TaskImage> {
    const name =
      "image" in source ? source.image : `${repository}:${await contentOf(source.folder)}`;
    const made = this.#made.get(name) ?? this.#make(name, source, signal);
    this.#made.set(name, made);
    // A failure, such as an abort of one attempt, is not the next one's.
    made.catch(() => this.#made.delete(name));
    return made;
  }

  async #make(name: string, source: ImageSource, signal: AbortSignal): Promise<TaskImage> {
    const call = { signal, timeoutMs: source.buildMs };
    const found = await this.#inspect(name, signal);
    if (found !== null) return found;
    if ("image" in source) await askEngine(this.#engine, ["pull", "--quiet", name], call);
    else {
      const args = ["build", "--quiet", "--label", `${taskLabel}=1`, "--tag", name];
      await askEngine(this.#engine, [...args, source.folder], call);
    }
    const made = await this.#inspect(name, signal);
    if (made === null) throw new Error(`${this.#engine} has made no image '${name}'`);
    return made;
  }

  async #inspect(name: string, signal: AbortSignal): Promise<TaskImage | null> {
    const { code, stdout } = await callEngine(this.#engine, ["image", "inspect", name], { signal });
    if (code !== 0) return null;
    const [{ Id: id, Config: config }] = JSON.parse(stdout);
    return { id, env: config?.Env ?? [], workdir: config?.WorkingDir || "/" };
  }
}

/** Removes images of tasks, and containers that a killed launcher left. @returns what was removed */
export async function cleanTasks(
  engine: EngineName,
  signal: AbortSignal,
): Promise<{ readonly images: number; readonly containers: number }> {
  const containers = await removeLeftContainers(engine, signal);
  const list = ["images", "--quiet", "--no-trunc", "--filter", `label=${taskLabel}`];
  const images = [...new Set((await askEngine(engine, list, { signal })).split("\n"))].filter(
    (id) => id !== "",
  );
  for (const id of images) await askEngine(engine, ["rmi", "--force", id], { signal });
  return { images: images.length, containers };
}

export const launcherLabel = "launcher.process";

/** Removes containers of launchers that are gone; their guardians have ended them. @returns how many */
export async function removeLeftContainers(
  engine: EngineName,
  signal: AbortSignal,
): Promise<number> {
  const format = `{{.ID}} {{index .Labels "${launcherLabel}"}}`;
  const list = ["ps", "--all", "--filter", `label=${launcherLabel}`];
  const template = engine === "docker" ? `{{.ID}} {{.Label "${launcherLabel}"}}` : format;
  const lines = await askEngine(engine, [...list, "--format", template], { signal });
  const left = lines.split("\n").flatMap((line) => {
    const [id = "", pid = ""] = line.split(" ");
    return id !== "" && !isAlive(Number(pid)) ? [id] : [];
  });
  for (const id of left) await callEngine(engine, ["rm", "--force", "--time", "0", id], { signal });
  return left.length;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The same for the same files, names, contents, modes and links. */
async function contentOf(folder: string): Promise<string> {
  const hash = createHash("sha256");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }));
  for (const { entry, path } of paths.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const content = entry.isFile()
      ? await readFile(path)
      : entry.isSymbolicLink()
        ? await readlink(path)
        : "";
    const mode = entry.isSymbolicLink() ? 0 : (await stat(path)).mode;
    hash.update(JSON.stringify([path.slice(folder.length), mode, content.length])).update(content);
  }
  return hash.digest("hex").slice(0, 32);
}
