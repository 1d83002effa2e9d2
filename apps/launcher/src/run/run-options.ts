import type { ForkedSession, LaunchTimeouts } from "@proj/launcher-client";
import type { AgentRecipe } from "../agents/recipe.ts";
import type { AgentSettings } from "./agent-options.ts";
import type { EvaluatorSettings } from "./evaluator-options.ts";
import type { KeySettings } from "./key-options.ts";

/**
 * What is run: the simulations of a file (a path, or `-` for standard input), those of a job once more, or some
 * that go on from a session's state. Null: the job goes on as it is stored.
 */
export type Work =
  | { readonly simulations: string }
  | { readonly replay_from: string; readonly ignore: readonly string[] }
  | { readonly fork: Omit<ForkedSession, "llm_model"> }
  | null;

/** What `launcher run` and `launcher fork` were asked for. Times are in milliseconds. */
export interface RunOptions {
  readonly work: Work;
  /** Null: a new one. */
  readonly job_id: string | null;
  readonly db_path: string;
  readonly gatewayBaseUrl: string;
  readonly gatewayApiKey: string | null;
  readonly sessionSecret: string | null;
  /** What agents' keys are limited to. */
  readonly key: KeySettings;
  readonly serviceGatewayConfig: string | null;
  readonly llm_model: string;
  readonly runtime: Callee | AgentRecipe;
  readonly evaluator: EvaluatorSettings;
  /** How a runtime that is a command runs. */
  readonly agent: AgentSettings;
  readonly concurrency: number;
  readonly maxAttempts: number;
  readonly timeouts: Pick<LaunchTimeouts, "simulationMs" | "evaluationMs" | "closeMs">;
  readonly heartbeatTimeoutMs: number;
  /** Where traces go; null: nothing is traced. */
  readonly otlp_endpoint: string | null;
  readonly json: boolean;
}

/** A command of the shell, or an HTTP endpoint. */
export type Callee = { readonly command: string } | { readonly url: string };
