import { readdir, readFile } from "node:fs/promises";

/**
 * Whether every process of a group has ended and only waits for its parent to read its exit status, which a
 * container's first process may never do. Known only on Linux; elsewhere the answer is false.
 */
export async function hasOnlyZombies(group: number): Promise<boolean> {
  if (process.platform !== "linux") return false;
  try {
    for (const name of await readdir("/proc")) {
      if (/^\d+$/.test(name) && (await isAliveIn(group, name))) return false;
    }
    return true;
  } catch {
    return false;
  }
}

async function isAliveIn(group: number, pid: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  // `pid (name) state parent group …`, see proc_pid_stat(5); a name may contain parentheses.
  const [state, , itsGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(itsGroup) === group && state !== "Z" && state !== "X";
}
