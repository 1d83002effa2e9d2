import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { passedVariables } from "./agent-environment.ts";

/** The user that a command runs as. */
export interface CommandUser {
  /** For messages, and the variables USER and LOGNAME. */
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user with that name or number, with its own group.
 * @throws TypeError there is no such user, or this process may not run commands as another user
 */
export async function findUser(name: string): Promise<CommandUser> {
  if (process.getuid === undefined) throw new TypeError("this system has no users to switch to");
  const user = { name, uid: await askId("-u", name), gid: await askId("-g", name) };
  const own = process.getuid();
  if (own !== 0 && own !== user.uid)
    throw new TypeError(`only root may start commands as the user '${name}'`);
  return user;
}

/**
 * Whether this process is the machine's own root. A kernel lets its root do things by its id alone, without any
 * capability: write to /proc/sys, for one. So a sandbox does not hold it.
 */
export function isMachineRoot(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    return /^\s*0\s+0\s/.test(readFileSync("/proc/self/uid_map", "utf8"));
  } catch {
    return true;
  }
}

/** On every Linux, whether or not its list of users names it. */
const nobody: CommandUser = { name: "nobody", uid: 65_534, gid: 65_534 };

/** The user of a sandboxed command for which none was chosen; null: the launcher's own. */
export const userInSandbox = (): CommandUser | null => (isMachineRoot() ? nobody : null);

async function askId(flag: string, name: string): Promise<number> {
  const env = passedVariables(process.env);
  try {
    const { stdout } = await promisify(execFile)("id", [flag, "--", name], { env });
    return Number(stdout);
  } catch {
    throw new TypeError(`there is no user '${name}'`);
  }
}
