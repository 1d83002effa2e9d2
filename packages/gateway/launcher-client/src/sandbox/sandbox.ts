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
  /** Sent before the script's own input, which begins after it. @default nothing */
  readonly goAhead?: string;
}

/** What agents reach: only their session's endpoint, or everything that the machine does. */
export type AgentNetwork = "session" | "machine";

/** The barrier between an agent's command and the machine. */
export interface Sandbox {
  /** For messages. */
  readonly description: string;
  /**
   * `session`: it has a network of its own, and begins the script when input comes: until then the launcher puts the
   * session's endpoint into that network. @default machine, which it shares
   */
  readonly network?: AgentNetwork;
  /** The program call that runs the script inside. */
  enter(script: SandboxedScript): ProgramCall;
}
