import type { LaunchTimeouts } from "@proj/launcher-client";

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
  readonly runtime: Program;
  /** Null: the runtime's own `total_reward` is the score. */
  readonly evaluator: Program | null;
  readonly concurrency: number;
  readonly maxAttempts: number;
  readonly timeouts: Partial<LaunchTimeouts>;
  readonly heartbeatTimeoutMs: number;
  readonly json: boolean;
}

/** A command of the shell, or an HTTP endpoint. */
export type Program = { readonly command: string } | { readonly url: string };
