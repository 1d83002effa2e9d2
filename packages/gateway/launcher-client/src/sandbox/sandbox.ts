import type { CommandLimits } from "../child-process/command-limits.ts";
import type { CommandUser } from "../child-process/command-user.ts";
import type { AttemptPaths } from "../workdir/attempt-folder.ts";

/** A shell script to run in a sandbox. */
export interface SandboxedScript {
  readonly script: string;
  readonly cwd: string;
  /** It may write to the three folders in this one, and nowhere else. */
  readonly folder: AttemptPaths;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: CommandLimits;
  readonly user: CommandUser | null;
}

/** A program and its arguments; `env` and `cwd` apply to the program itself. */
export interface ProgramCall {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly user: CommandUser | null;
}

/** The barrier between an agent's command and the machine. */
export interface Sandbox {
  /** For messages. */
  readonly description: string;
  /** The program call that runs the script inside. */
  enter(script: SandboxedScript): ProgramCall;
}
