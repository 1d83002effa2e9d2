import type { LaunchTimeouts } from "@proj/launcher-client";
import type { AgentRecipe } from "../agents/recipe.ts";
import type { AgentSettings } from "./agent-options.ts";
import type { EvaluatorSettings } from "./evaluator-options.ts";

/** What `launcher run` was asked for. Times are in milliseconds. */
export interface RunOptions {
  /** A path, or `-` for standard input; null: the job goes on as it is stored. */
  readonly simulations: string | null;
  /** Null: a new one. */
  readonly job_id: string | null;
  readonly db_path: string;
  readonly gatewayBaseUrl: string;
  readonly gatewayApiKey: string | null;
  readonly sessionSecret: string | null;
  readonly serviceGatewayConfig: string | null;
  readonly llm_model: string;
  readonly runtime: Callee | AgentRecipe;
  readonly evaluator: EvaluatorSettings;
  /** How a runtime that is a command runs. */
  readonly agent: AgentSettings;
  readonly concurrency: number;
  readonly maxAttempts: number;
  readonly timeouts: Partial<LaunchTimeouts>;
  readonly heartbeatTimeoutMs: number;
  readonly json: boolean;
}

/** A command of the shell, or an HTTP endpoint. */
export type Callee = { readonly command: string } | { readonly url: string };
