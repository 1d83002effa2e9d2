/** Answer of `GET /v1/routes/{key}/engine`: whether what the route's engines sample can be trained on. */
export interface EngineProbeBody {
  readonly model: string;
  /** Null: the route has no engine, so that nothing says whether its rows have token ids. */
  readonly engine: "vllm" | "sglang" | null;
  /** Of each upstream; empty without an engine. */
  readonly upstreams: readonly ProbedEngine[];
}

export interface ProbedEngine {
  readonly upstream: string;
  readonly findings: readonly EngineFinding[];
}

export interface EngineFinding {
  readonly check: EngineCheck;
  /** `failed`: what is sampled cannot be trained on. `warning`: it can, and something is missing. */
  readonly level: "ok" | "warning" | "failed";
  /** What was seen; if it is not right, the setting of the engine or of the route that mends it. */
  readonly message: string;
}

export type EngineCheck =
  | "template"
  | "token_ids"
  | "logprobs"
  | "tool_parser"
  | "reasoning_parser"
  | "weight_versions"
  | "context_length";
