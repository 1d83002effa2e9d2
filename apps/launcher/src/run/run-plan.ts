import type { AgentRecipe, ForkedSession } from "@proj/launcher-client";
import type { AcpAgent } from "../recipes/acp-agent.ts";
import type { TaskSettings } from "../tasks/task-options.ts";
import type { RunSettings } from "./run-arguments.ts";

/**
 * The work of a run: the simulations of a file (a path, or `-` for standard input), those of a job once more, or some
 * that continue from a session's state. Null: a stored job continues.
 */
export type Work =
  | { readonly simulations: string }
  | { readonly replay_from: string; readonly ignore: readonly string[] }
  | { readonly fork: Omit<ForkedSession, "llm_model"> }
  | null;

/** What `launcher run` and `launcher fork` do: the command line, and what its files and variables hold. */
export interface RunPlan {
  readonly work: Work;
  readonly options: RunSettings;
  /** Null: the simulations are not tasks. */
  readonly tasks: TaskSettings | null;
  readonly db_path: string;
  readonly gatewayApiKey: string | null;
  readonly sessionSecret: string | null;
  readonly serviceGatewayConfig: string | null;
  readonly runtime: Callee | AgentRecipe | AcpAgent;
}

/** A command of the shell, an HTTP endpoint, or an agent that comes with every task. */
export type Callee =
  | { readonly command: string }
  | { readonly url: string }
  | { readonly taskAgent: "nop" | "oracle" };
