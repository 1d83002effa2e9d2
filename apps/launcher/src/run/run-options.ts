import type { AgentRecipe, ForkedSession, LaunchTimeouts } from "@proj/launcher-client";
import type { AcpAgent } from "../recipes/acp-agent.ts";
import type { TaskSettings } from "../tasks/task-options.ts";
import type { AgentSettings } from "./agent-options.ts";
import type { EvaluatorSettings } from "./evaluator-options.ts";
import type { KeySettings } from "./key-options.ts";
import type { RunReport } from "./report-run.ts";

/**
 * The work of a run: the simulations of a file (a path, or `-` for standard input), those of a job once more, or some
 * that continue from a session's state. Null: a stored job continues.
 */
export type Work =
  | { readonly simulations: string }
  | { readonly replay_from: string; readonly ignore: readonly string[] }
  | { readonly fork: Omit<ForkedSession, "llm_model"> }
  | null;

/** The settings of `launcher run` and `launcher fork`. Times are in milliseconds. */
export interface RunOptions {
  readonly work: Work;
  /** Null: a new job. */
  readonly job_id: string | null;
  readonly db_path: string;
  readonly gatewayBaseUrl: string;
  readonly gatewayApiKey: string | null;
  readonly sessionSecret: string | null;
  /** The limits of agents' keys. */
  readonly key: KeySettings;
  readonly serviceGatewayConfig: string | null;
  readonly llm_model: string;
  /** Whether a route whose tokens cannot be trained on ends the run before it begins. */
  readonly requireTokens: boolean;
  readonly runtime: Callee | AgentRecipe | AcpAgent;
  /** Null: the simulations are not tasks. */
  readonly tasks: TaskSettings | null;
  readonly evaluator: EvaluatorSettings;
  /** How a runtime that is a command is run. */
  readonly agent: AgentSettings;
  readonly concurrency: number;
  readonly maxAttempts: number;
  readonly infrastructureAttempts: number;
  readonly timeouts: Pick<
    LaunchTimeouts,
    "simulationMs" | "queueMs" | "stopGraceMs" | "evaluationMs" | "closeMs"
  >;
  readonly heartbeatTimeoutMs: number;
  /** Where traces go; null: nothing is traced. */
  readonly otlp_endpoint: string | null;
  /** What is reported at the end. */
  readonly report: RunReport;
  readonly json: boolean;
}

/** A command of the shell, an HTTP endpoint, or an agent that comes with every task. */
export type Callee =
  | { readonly command: string }
  | { readonly url: string }
  | { readonly taskAgent: "nop" | "oracle" };
