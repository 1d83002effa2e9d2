import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

/**
 * The variable that identifies a command's processes on Linux after they have left its process group, as daemons
 * and browsers do. Its value is `<launcher>/<command>/`.
 */
export const markVariable = "LAUNCHER_COMMAND_ID";

/** The prefix of the marks of all commands of this process. */
export const launcherMark: string = `${randomUUID()}/`;

/** A command knows its own mark, and must not pass for another one. */
export const newCommandMark = (): string => `${launcherMark}${randomUUID()}/`;

/** Processes with a mark that starts with `prefix`. Always empty outside Linux, which alone can list them. */
export async function markedProcesses(prefix: string): Promise<readonly number[]> {
  if (process.platform !== "linux") return [];
  const marks = await freshScan();
  return [...marks].flatMap(([pid, mark]) => (mark.startsWith(prefix) ? [pid] : []));
}

type Marks = ReadonlyMap<number, string>;

let running: Promise<unknown> = Promise.resolve();
let next: Promise<Marks> | null = null;

/**
 * A scan that starts after this call. Thousands of commands that end at once share one, so that they do not all
 * read the whole of /proc.
 */
function freshScan(): Promise<Marks> {
  next ??= running.then(() => {
    next = null;
    const scan = scanProcesses();
    running = scan;
    return scan;
  });
  return next;
}

async function scanProcesses(): Promise<Marks> {
  const marks = new Map<number, string>();
  const names = await readdir("/proc").catch(() => []);
  for (const name of names) {
    if (!/^\d+$/.test(name) || name === String(process.pid)) continue;
    // Empty for a zombie, and unreadable for another user's process.
    const environment = await readFile(`/proc/${name}/environ`, "latin1").catch(() => "");
    const mark = markIn(environment);
    if (mark !== null) marks.set(Number(name), mark);
  }
  return marks;
}

function markIn(environment: string): string | null {
  const start = `\0${environment}`.indexOf(`\0${markVariable}=`);
  if (start < 0) return null;
  return environment.slice(start + markVariable.length + 1).split("\0", 1)[0] ?? null;
}
