import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, posix } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { shellQuote } from "../../child-process/shell-quote.ts";
import { engineEnvironment } from "../../sandbox/engine-environment.ts";
import { askEngine, callEngine, type EngineName } from "./engine.ts";
import type { TaskContainer } from "./task-container.ts";
import type { TaskImage } from "./task-image.ts";

/** Programs, libraries and settings that a verifier's own processes are made of, and what the launcher puts there. */
const ofTheSystem: ReadonlySet<string> = new Set([
  ...["bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr", "etc", "boot"],
  ...["dev", "proc", "sys", "run", "tests", "solution", "logs"],
]);

/** The home that the launcher gives to an agent's program. What is in it is not the agent's work. */
export const agentHome = "/tmp/agent-home";

type Target = Pick<TaskContainer, "name" | "exec">;

/** Of the folder for logs, what an agent may hand over. */
const handedOver = ["/logs/agent", "/logs/artifacts"];

/**
 * Puts an agent's work into a verifier's container, which has begun from the task's image: everything that changed
 * outside the system's folders and outside those where the image's variables have programs and libraries looked for.
 * @returns the paths that changed and were left out
 */
export async function carryWork(
  engine: EngineName,
  image: TaskImage,
  from: Pick<TaskContainer, "name">,
  to: Target,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const changes = changesIn(await askEngine(engine, ["diff", from.name], { signal }));
  const searched = searchedPlaces(image);
  const isKept = (path: string): boolean =>
    isOfLauncher(path) ||
    ofTheSystem.has(topOf(path)) ||
    searched.some((place) => isWithin(path, place));
  const carried = changes.filter(({ path }) => !isKept(path));
  const removed = carried.filter(({ kind }) => kind === "D").map(({ path }) => path);
  if (removed.length > 0) await removeFrom(to, removed, signal);
  const tops = new Set(
    carried.filter(({ kind }) => kind !== "D").map(({ path }) => `/${topOf(path)}`),
  );
  const logs = handedOver.filter((place) =>
    changes.some(({ path }) => isWithin(dirname(path), place)),
  );
  for (const path of [...tops, ...logs]) await copy(engine, from.name, to.name, path, signal);
  const restored = searched.filter(
    (place) => tops.has(`/${topOf(place)}`) && changes.some(({ path }) => isWithin(path, place)),
  );
  if (restored.length > 0) await restore(engine, image, to, restored, signal);
  return changes.filter(({ path }) => isKept(path) && !isOfLauncher(path)).map(({ path }) => path);
}

interface Change {
  /** Added, changed or deleted. */
  readonly kind: string;
  readonly path: string;
}

const changesIn = (text: string): readonly Change[] =>
  text
    .split("\n")
    .filter((line) => /^[ACD] \/./.test(line))
    .map((line) => ({ kind: line.slice(0, 1), path: line.slice(2) }));

const topOf = (path: string): string => path.split("/")[1] ?? "";
const isWithin = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}/`);
const isOfLauncher = (path: string): boolean =>
  ["tests", "solution", "logs", "run", "dev", "proc", "sys"].includes(topOf(path)) ||
  isWithin(path, agentHome) ||
  path === dirname(agentHome) ||
  /^\/etc(?:\/(?:hosts|hostname|resolv\.conf|mtab))?$/.test(path);

const searchVariable = /^(?:PATH|LD_LIBRARY_PATH|PYTHONPATH|NODE_PATH|PERL5LIB|RUBYLIB)=(.*)$/s;

function searchedPlaces({ env }: TaskImage): readonly string[] {
  const places = env.flatMap((variable) => searchVariable.exec(variable)?.[1]?.split(":") ?? []);
  return places
    .map((place) => posix.join(place, ".").replace(/\/$/, ""))
    .filter((place) => place.startsWith("/") && !ofTheSystem.has(topOf(place)))
    .map((place) => {
      const parent = dirname(place);
      return /\/s?bin$/.test(place) && dirname(parent) !== "/" ? parent : place;
    });
}

/** In the order of an argument list, which has a bound. */
async function removeFrom(
  container: Target,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; at < paths.length; at += 200) {
    const quoted = paths.slice(at, at + 200).map(shellQuote);
    const { code, stderr } = await container.exec(
      `rm -rf -- ${quoted.join(" ")}`,
      { user: 0, workdir: "/" },
      signal,
    );
    if (code !== 0) throw new Error(`files that the agent removed could not be: ${stderr.trim()}`);
  }
}

/** Puts back what the image has at these places. */
async function restore(
  engine: EngineName,
  image: TaskImage,
  to: Target,
  places: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await removeFrom(to, places, signal);
  const pristine = await askEngine(engine, ["create", image.id, "/bin/sh"], { signal });
  try {
    for (const place of places) await copy(engine, pristine, to.name, place, signal);
  } finally {
    await callEngine(engine, ["rm", pristine], { signal: AbortSignal.timeout(60_000) });
  }
}

/** What podman and docker say of a path that is not there. */
const isMissing = /could not (?:be found|find)|no such file/i;

/**
 * Copies a path by the engine alone: no program of either container is run. Nothing there is nothing to copy.
 * @throws Error it could not be copied whole
 */
async function copy(
  engine: EngineName,
  from: string,
  to: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const options = { env: engineEnvironment(), cwd: "/", signal, killSignal: "SIGKILL" } as const;
  const failed = (words: string): Error =>
    new Error(`${path} could not be copied: ${words.trim()}`);
  const reader = spawn(engine, ["cp", `${from}:${path}`, "-"], {
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const complained = lastOf(reader.stderr);
  const read = once(reader, "close");
  // A program may have ended before what it wrote arrives: only the stream says that there is nothing.
  await Promise.race([once(reader.stdout, "readable"), read]);
  if (reader.stdout.readableLength === 0) {
    reader.stdout.resume();
    const [code] = await read;
    signal.throwIfAborted();
    if (code !== 0 && !isMissing.test(complained())) throw failed(complained());
    return;
  }
  const writer = spawn(engine, ["cp", "-", `${to}:${dirname(path)}`], {
    ...options,
    stdio: ["pipe", "ignore", "pipe"],
  });
  const refused = lastOf(writer.stderr);
  const written = once(writer, "close");
  await pipeline(reader.stdout, writer.stdin).catch(() => {});
  const [[readCode], [writeCode]] = await Promise.all([read, written]);
  signal.throwIfAborted();
  if (readCode !== 0 || writeCode !== 0) throw failed(`${complained()}${refused()}`);
}

/** The end of what a program prints, once it has. */
function lastOf(stream: Readable): () => string {
  let last = "";
  stream.on("data", (text: Buffer) => {
    last = `${last}${text}`.slice(-1_000);
  });
  return () => last;
}
