import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { AnswerFailure } from "../answer/answer-failure.ts";
import { markVariable, newCommandMark } from "./command-mark.ts";
import type { Environment } from "./command-options.ts";
import { guardian } from "./guardian.ts";
import { hasProcessGroups, ProcessTree } from "./process-tree.ts";

/** What to start, with its complete environment. */
export interface CommandStart {
  /** A line for the system's shell, or a program with its arguments. */
  readonly run: string | { readonly file: string; readonly args: readonly string[] };
  readonly cwd?: string | undefined;
  readonly env: Environment;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  /**
   * Whether it prints the line `beginning` before anything of the command's own: without that line the command has not
   * started, whatever the code it ended with. @default false
   */
  readonly isAnnounced?: boolean | undefined;
}

export interface StartedCommand {
  readonly child: ChildProcessWithoutNullStreams;
  readonly tree: ProcessTree;
  /** The prefix of `markVariable` in all of its processes. */
  readonly mark: string;
  /** Kills what is left of the command after it has ended. */
  leave(): Promise<void>;
}

/**
 * Starts a command in its own process group: a signal from the terminal then reaches only the launcher, which ends
 * its commands in its own order.
 * @throws AnswerFailure not_started
 */
export async function startCommand({
  run,
  cwd,
  env,
  uid,
  gid,
}: CommandStart): Promise<StartedCommand> {
  const mark = newCommandMark();
  try {
    guardian.watch();
    const child = spawnPiped(run, {
      uid,
      gid,
      detached: hasProcessGroups,
      windowsHide: true,
      cwd,
      env: { ...env, [markVariable]: mark },
    });
    const { pid } = child;
    if (pid !== undefined) guardian.guard(pid);
    await once(child, "spawn");
    if (pid === undefined) throw new Error("it has no process id");
    const tree = new ProcessTree([pid], mark);
    const leave = async (): Promise<void> => {
      await tree.killRest();
      guardian.release(pid);
    };
    return { child, tree, mark, leave };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const where = cwd === undefined ? "" : ` in ${cwd}`;
    throw new AnswerFailure("not_started", `could not be started${where}: ${reason}`);
  }
}

function spawnPiped(
  run: CommandStart["run"],
  options: Omit<SpawnOptions, "stdio">,
): ChildProcessWithoutNullStreams {
  const piped = { ...options, stdio: "pipe" } as const;
  return typeof run === "string"
    ? spawn(run, { ...piped, shell: true })
    : spawn(run.file, run.args, piped);
}
