import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { toolEnvironment } from "../child-process/agent-environment.ts";
import type { CommandUser } from "../child-process/command-user.ts";

/** A pipe, a device or a file system of the agent's may never answer. */
const readingMs = 10_000;

/** What cannot be read at all ends with 1, like every other `head` that fails. */
const reading = '[ ! -L "$1" ] && [ -f "$1" ] && exec head -c "$2" "$1"';

/**
 * The beginning of a file that an agent may have written, read with the rights of the user that wrote it and by a
 * process of its own, which can be ended.
 * @param longest in bytes; the rest is left out. Bytes that are not UTF-8 become U+FFFD
 * @param user null: the launcher's own
 * @returns null: there is nothing, or it is a link, a pipe, a folder, or not read within ten seconds
 * @throws the signal's reason
 */
export async function readWritten(
  path: string,
  longest: number,
  user: CommandUser | null,
  signal: AbortSignal,
): Promise<string | null> {
  signal.throwIfAborted();
  try {
    const { stdout } = await promisify(execFile)(
      "/bin/sh",
      ["-c", reading, "sh", path, String(longest)],
      {
        cwd: "/",
        env: toolEnvironment(),
        ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
        encoding: "utf8",
        maxBuffer: 4 * longest,
        signal: AbortSignal.any([signal, AbortSignal.timeout(readingMs)]),
        killSignal: "SIGKILL",
      },
    );
    return stdout;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
