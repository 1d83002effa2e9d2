import type { CommandLimits } from "../child-process/command-limits.ts";
import { beginning } from "../child-process/command-output.ts";
import type { CommandUser } from "../child-process/command-user.ts";
import type { AttemptPaths } from "../workdir/attempt-folder.ts";

/** A shell script to run in a sandbox. */
export interface SandboxedScript {
  /** Of the attempt; a name of its own where there is none. */
  readonly session_id: string;
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
  /** Whether the script begins with the `announcement`: without it, the agent has not started. @default false */
  readonly isAnnounced?: boolean;
}

/** A line of the shell that says that everything before the agent's own script went well. */
export const announcement: string = `echo ${beginning}\n`;

/** What a runtime must say of the sandbox that its agents are in: most have no queue, and nothing is left in them. */
export function placedIn(
  sandbox: Sandbox | null | undefined,
): Pick<Sandbox, "abandon"> & { readonly isQueued: boolean } {
  const abandon = sandbox?.abandon?.bind(sandbox);
  return { isQueued: sandbox?.isElsewhere === true, ...(abandon === undefined ? {} : { abandon }) };
}

/** What agents reach: only their session's endpoint, or everything that the machine does. */
export type AgentNetwork = "session" | "machine";

/** Where an agent's command runs: behind a barrier on this machine, or on another one. */
export interface Sandbox {
  /** For messages. */
  readonly description: string;
  /**
   * `session`: it has a network of its own, and begins the script when input comes: until then the launcher puts the
   * session's endpoint into that network. @default machine, which it shares
   */
  readonly network?: AgentNetwork;
  /**
   * Whether a cluster runs it, as the launcher's own user or its image's: on any machine, and when its turn comes.
   * @default false
   */
  readonly isElsewhere?: boolean;
  /** The program call that runs the script inside. */
  enter(script: SandboxedScript): ProgramCall;
  /**
   * Ends what is left of an attempt there, whichever launcher began it.
   * @default nothing can be left
   * @throws Error it could not be ended
   */
  abandon?(session_id: string): Promise<void>;
  /**
   * Of an attempt whose command failed: what ended it, if that was neither the command itself nor the launcher.
   * @default null
   */
  endedBy?(session_id: string): Promise<string | null>;
}
