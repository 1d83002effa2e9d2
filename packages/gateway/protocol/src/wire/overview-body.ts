/** The answer to `GET /v1/overview`: the state of the gateway that answers. */
export interface OverviewBody {
  readonly routes: readonly RouteOverview[];
  readonly storage: StorageOverview;
  /** Sessions in memory. */
  readonly sessions: { readonly active: number; readonly closing: number; readonly closed: number };
  /** What the operator should know, such as models that are about to be withdrawn. */
  readonly notices: readonly string[];
  /** The length of an interval of `traffic`, in milliseconds. */
  readonly interval_ms: number;
  /** How much of the latest interval is over, in milliseconds. */
  readonly interval_elapsed_ms: number;
}

export interface RouteOverview {
  readonly model: string;
  /** The APIs of the upstream. */
  readonly endpoints: readonly string[];
  readonly pause: "hold" | "drain" | "refuse" | null;
  readonly weight_version: string | null;
  readonly in_flight: number;
  readonly waiting: number;
  readonly max_concurrency: number;
  readonly max_queue: number;
  readonly replicas: readonly ReplicaOverview[];
  readonly traffic: RouteTraffic;
}

export interface ReplicaOverview {
  /** The base URL without its query. */
  readonly replica: string;
  /** Whether it was asked since this gateway has the route. */
  readonly asked: boolean;
  /** It could not be reached, and gets no calls for a while. */
  readonly ejected: boolean;
  readonly in_flight: number;
}

/** The last hour: a number for each interval, the earliest first; the last one is not over yet. */
export interface RouteTraffic {
  readonly calls: readonly number[];
  /** Calls that did not end with 200. */
  readonly failed: readonly number[];
  readonly completion_tokens: readonly number[];
  /** From arrival to the end, to within a fifth; null if no call ended. */
  readonly p50_ms: readonly (number | null)[];
  readonly p95_ms: readonly (number | null)[];
  /** To the first byte of the answer; null if no call had one. */
  readonly ttft_p50_ms: readonly (number | null)[];
}

export interface StorageOverview {
  /** `ready`, why rows cannot be written, or that the gateway is starting or draining. */
  readonly status: string;
  readonly type: "sqlite" | "cloud";
  readonly telemetry_mode: "strict" | "best_effort";
  /** Rows that are not durable yet. */
  readonly queue_rows: number;
  readonly queue_bytes: number;
  /** Rows that will never be stored, counted since the start. */
  readonly lost_rows: number;
  /** Null: the storage is not a file. */
  readonly file: {
    readonly wal_bytes: number;
    readonly free_bytes: number;
    readonly checkpoints: number;
  } | null;
}
