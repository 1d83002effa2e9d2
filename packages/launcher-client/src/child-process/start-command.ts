import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { AnswerFailure } from "../answer/answer-failure.ts";
import type { CommandOptions, Environment } from "./command-options.ts";
import { hasProcessGroups, ProcessGroup } from "./process-group.ts";

/** Secrets of the launcher: with either of them, an agent could open every session. */
const withheld: Environment = { GATEWAY_API_KEY: undefined, GATEWAY_SESSION_SECRET: undefined };

export interface StartedCommand {
  readonly child: ChildProcessWithoutNullStreams;
  readonly group: ProcessGroup;
}

/**
 * Starts a command line in the system's shell, which leads a process group of its own: a signal from
 * the terminal reaches the launcher alone, which then ends its commands in its own order.
 * @throws AnswerFailure not_started
 */
export async function startCommand(
  command: string,
  { cwd, env }: CommandOptions,
  own: Environment,
): Promise<StartedCommand> {
  try {
    const child = spawn(command, {
      shell: true,
      detached: hasProcessGroups,
      windowsHide: true,
      cwd,
      env: { ...process.env, ...withheld, ...env, ...own },
    });
    await once(child, "spawn");
    if (child.pid === undefined) throw new Error("it has no process id");
    return { child, group: new ProcessGroup(child.pid) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const where = cwd === undefined ? "" : ` in ${cwd}`;
    throw new AnswerFailure("not_started", `could not be started${where}: ${reason}`);
  }
}
