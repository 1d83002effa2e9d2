import { rm, rmdir } from "node:fs/promises";
import { SecretMask } from "@proj/gateway-protocol";
import { toolEnvironment } from "../child-process/agent-environment.ts";
import type { CommandUser } from "../child-process/command-user.ts";
import { runCommand } from "../child-process/run-command.ts";
import type { AttemptPaths } from "./attempt-folder.ts";

/** How long removing may take: a file system that an agent has mounted may never answer. */
const removalMs = 300_000;

/**
 * Package managers leave folders that their owner may not write to. `find` works by descriptor, follows no link and
 * stays on one file system; nothing else of the system's own tools does.
 */
const emptying = `all() { find "$@" -xdev -mindepth 1 -delete; }
all "$@" 2>/dev/null || { chmod -R u+rwx "$@" && all "$@"; } && echo 1`;

/**
 * Removes an attempt's folders as the user that wrote them: whatever a process that the agent left behind does to
 * them meanwhile, nothing is removed that this user could not remove itself. The root, which is the launcher's, goes
 * last, and is not walked.
 * @param user null: the launcher's own
 * @throws Error part of them remains
 */
export async function removeFolders(paths: AttemptPaths, user: CommandUser | null): Promise<void> {
  const { root, work, home, tmp } = paths;
  // A system without users to switch to has no `find` either.
  if (process.getuid === undefined)
    return rm(root, { recursive: true, force: true, maxRetries: 3 });
  const given = user === null ? [] : [work, home, tmp];
  await runCommand(
    {
      run: { file: "/bin/sh", args: ["-c", emptying, "sh", ...(user === null ? [root] : given)] },
      cwd: "/",
      env: toolEnvironment(),
      uid: user?.uid,
      gid: user?.gid,
    },
    { input: [], mask: new SecretMask([]), signal: AbortSignal.timeout(removalMs) },
  );
  for (const path of [...given, root]) await rmdir(path);
}
