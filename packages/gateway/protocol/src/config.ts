import type { ApiName } from "@proj/model-apis/names";

/**
 * The gateway's configuration with every default filled in. Names are those of the YAML file. Durations
 * ending in `_s` are seconds (fractions allowed), in `_ms` milliseconds; sizes are bytes.
 */
export interface GatewayConfig {
  readonly listen_host: string;
  readonly listen_port: number;
  readonly base_session_path: string;
  /** Step budget per session and model; negative: unlimited. */
  readonly max_steps: number;
  /** Budget of a session's prompt and completion tokens over all models; negative: unlimited. */
  readonly max_tokens: number;
  /** Budget of a session in US dollars over all models; null: unlimited. */
  readonly max_cost_usd: number | null;
  /** Completion tokens held for a call that names no maximum; null: calls in flight hold nothing. */
  readonly reserve: number | null;
  /** Stops that may be ignored, per session and model, before requests are refused; negative: any number. */
  readonly max_ignored_stops: number;
  readonly storage_type: "sqlite" | "cloud";
  readonly storage_config: StorageConfig;
  /** Sessions whose last call is older are pruned every day; null: never. */
  readonly retention: {
    readonly older_than_days: number | null;
    readonly keep: "rewards" | "rows";
  };
  readonly llm_routes: Readonly<Record<string, RouteConfig>>;
  readonly telemetry: TelemetryConfig;
  readonly request_log: RequestLogConfig;
  readonly session_close_timeout_s: number;
  readonly session_close_retry_after_s: number;
  readonly session_idle_ttl_s: number;
  readonly max_body_bytes: number;
  /** Minimum rate of a body in bytes per second, over each `caller_body_idle_s`; 0: any rate. */
  readonly min_body_rate_bytes: number;
  readonly max_buffered_bytes: number;
  readonly max_capture_bytes: number;
  readonly max_sessions: number;
  /** Callers' connections at the same time; the process's file descriptors may allow fewer. */
  readonly max_connections: number;
  readonly timeouts: TimeoutsConfig;
  readonly drain_timeout_s: number;
  readonly shutdown_delay_s: number;
  readonly auth: AuthConfig;
  readonly session_key_limits: SessionKeyLimitsConfig;
  /** Whether the console is served. */
  readonly console: boolean;
  readonly cors: { readonly allowed_origins: readonly string[] };
  readonly opentelemetry: OpenTelemetryConfig;
  readonly deprecations: { readonly feed: string | null; readonly warn_days: number };
}

export interface StorageConfig {
  /** `sqlite://<file>`, or for `cloud` `postgres://…` or `postgresql://…`. */
  readonly db_url: string;
  /** SQLite only: `full` survives a power loss, `normal` a killed process. */
  readonly synchronous: "full" | "normal";
  /** PostgreSQL only: maximum number of connections. */
  readonly pool_size: number;
  /** PostgreSQL only. */
  readonly connect_timeout_s: number;
  /** PostgreSQL only: how long the server may work on one statement. */
  readonly statement_timeout_s: number;
  /** Strings of payloads from this size on are stored once for each job. */
  readonly large_value_bytes: number;
  /** SQLite only: with less free space on the file's disk, `/readyz` warns; 0: never. */
  readonly min_free_bytes: number;
}

/** What requests may name instead of repeating it. */
export type KeptHistory = "responses" | "conversations" | "threads";

export interface RouteConfig {
  /** At least one, each without a trailing slash; the file's single `base_url` becomes a list of one. */
  readonly base_urls: readonly string[];
  readonly api_key: string | null;
  /** The header that carries the key; null: the one that the API's own service uses. */
  readonly auth_header: string | null;
  /** Whether Claude Code's billing block is removed; null: unless the upstream is Anthropic's. */
  readonly strip_billing_block: boolean | null;
  /** The APIs that the upstream speaks; at least one. */
  readonly endpoints: readonly ApiName[];
  /** The inference engine behind the route, which is asked in token ids; null: bytes pass as they are. */
  readonly engine: "vllm" | "sglang" | null;
  /** A folder with the model's tokenizer and chat template; null: the engine renders prompts. */
  readonly tokenizer: string | null;
  /** Whether prompts continue earlier turns token for token. */
  readonly continuity: "exact" | "off";
  /** What becomes of earlier thinking that the template would drop. */
  readonly thinking: "kept" | "as_template";
  /** What an engine takes beside text. */
  readonly modalities: readonly "image"[];
  /** What the upstream keeps for later requests; null: by its host. */
  readonly keeps: readonly KeptHistory[] | null;
  /** Whether the gateway sends histories that the upstream does not keep; otherwise such requests are refused. */
  readonly serve_history: boolean;
  /** Whether the route answers Responses over WebSockets. */
  readonly websockets: boolean;
  /** Calls that count as another route's steps; null: none. */
  readonly side_calls: SideCallsConfig | null;
  /** Token prices; empty: unknown. */
  readonly prices: readonly PriceConfig[];
  readonly supports_stream: boolean;
  /** Whether a budget asks streams for their usage. */
  readonly stream_usage: boolean;
  readonly max_concurrency: number;
  /** The model's name upstream; null: the body is forwarded byte for byte. */
  readonly upstream_model: string | null;
  /** Sent upstream with every request of the route; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Top-level members set in every body; the route's value wins. */
  readonly extra_body: Readonly<Record<string, unknown>>;
  /** Likewise, on top of `extra_body`, if the request streams. */
  readonly extra_body_stream: Readonly<Record<string, unknown>>;
  readonly max_queue: number;
  readonly queue_timeout_s: number;
  /** Further attempts before the first byte of an answer. */
  readonly retries: number;
  /** Callers' headers kept in `meta_json.request_headers`, with credentials redacted; names in lower case. */
  readonly record_request_headers: readonly string[];
  /** Upstream response headers kept in `meta_json.headers`; names in lower case. */
  readonly record_headers: readonly string[];
  /**
   * Top-level members, and members of choices, that are removed before callers get the answer; rows keep
   * them.
   */
  readonly strip_response_members: readonly string[];
}

/** US dollars per million tokens; null or left out: as `input`, for `reasoning` as `output`. */
export interface TokenPrices {
  readonly input: number;
  readonly cached_input?: number | null;
  readonly cache_write?: number | null;
  /** What is written to a cache for 30 minutes, an hour, 12 hours; null or left out: as `cache_write`. */
  readonly cache_write_30m?: number | null;
  readonly cache_write_1h?: number | null;
  readonly cache_write_12h?: number | null;
  readonly output: number;
  readonly reasoning?: number | null;
}

export interface TieredPrices extends TokenPrices {
  /** Prices of a call whose whole prompt is longer than `above` tokens; the largest `above` wins. */
  readonly long_context?: readonly (TokenPrices & { readonly above: number })[];
}

export interface PriceConfig extends TieredPrices {
  /** The UTC day, `YYYY-MM-DD`, from which the price applies; null: before all others. */
  readonly from: string | null;
  /** By the service tier, speed or region that the answer names. */
  readonly service_tiers?: Readonly<Record<string, TieredPrices>>;
  /** Of the model that an answer's `advisor_message` iterations asked. */
  readonly advisor?: TieredPrices | null;
  /** US dollars per thousand calls of tools that the upstream runs, by the tool's name. */
  readonly server_tools?: Readonly<Record<string, number>>;
}

export interface SideCallsConfig {
  /** Key of the route that takes these calls. */
  readonly route: string;
  /** The first rule that matches names the call. */
  readonly when: readonly SideCallRule[];
}

/** A rule matches if all its conditions do. */
export interface SideCallRule {
  readonly name: string;
  /** Names in lower case. */
  readonly header?: Readonly<Record<string, string>>;
  readonly request_kind?: string;
  /** Whether the request has tools. */
  readonly tools?: boolean;
  /** A text that the system prompt contains. */
  readonly system?: string;
}

export interface TelemetryConfig {
  readonly mode: "strict" | "best_effort";
  readonly loss_policy: "fail_closed" | "drop_newest" | "drop_oldest";
  readonly capture_payload: "full" | "failed_only" | "sampled" | "none";
  readonly payload_sample_rate: number;
  readonly redact_sensitive_fields: boolean;
  /** Whether rows keep the vectors of embeddings; otherwise only their size. */
  readonly capture_embeddings: boolean;
  readonly batch_size: number;
  readonly flush_interval_ms: number;
  readonly queue_max_rows: number;
  readonly queue_max_bytes: number;
  readonly write_timeout_s: number;
}

export interface OpenTelemetryConfig {
  readonly enabled: boolean;
  /** Null: taken from OpenTelemetry's own variables. */
  readonly endpoint: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether spans contain the messages. */
  readonly capture_content: boolean;
  readonly queue_max_spans: number;
}

export interface RequestLogConfig {
  readonly enabled: boolean;
  readonly path: string;
  readonly max_bytes: number;
  readonly backup_count: number;
  /** 0: whole bodies are recorded. */
  readonly body_limit_bytes: number;
}

export interface TimeoutsConfig {
  readonly connect_s: number;
  readonly first_byte_s: number;
  readonly idle_s: number;
  readonly total_s: number;
  readonly caller_headers_s: number;
  readonly caller_body_idle_s: number;
  readonly caller_body_total_s: number;
  readonly caller_stall_s: number;
  readonly caller_keep_alive_s: number;
}

export interface AuthConfig {
  /** Empty: the gateway is open. */
  readonly api_keys: readonly { readonly name: string | null; readonly key: string }[];
  readonly session_secret: string | null;
  /** For rotation: keys made with it still open their sessions. */
  readonly previous_session_secret: string | null;
  readonly open_metrics: boolean;
}

/** Limits for each session, applied to requests with a session key. */
export interface SessionKeyLimitsConfig {
  readonly max_in_flight: number;
  readonly max_body_bytes: number;
  readonly max_buffered_bytes: number;
  /** Above 0, at most 1. */
  readonly max_route_share: number;
}
