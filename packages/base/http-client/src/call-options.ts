type Headers = Readonly<Record<string, string>>;
type FieldValue = string | number | boolean;

/** The fields of a query or a form. A list repeats its key; null and undefined are left out. */
export type Fields = Readonly<
  Record<string, FieldValue | readonly FieldValue[] | null | undefined>
>;

/** Exponential back-off with full jitter; delays are milliseconds. */
export interface RetryOptions {
  /** Attempts after the first one. @default 3 */
  readonly retries?: number;
  /** After this time no further attempt starts. @default 60_000 */
  readonly totalMs?: number;
  /** @default 250 */
  readonly minDelayMs?: number;
  /** @default 8_000 */
  readonly maxDelayMs?: number;
}

export interface CallOptions {
  /** A function is called for each attempt. */
  readonly headers?: Headers | (() => Headers | Promise<Headers>) | undefined;
  /** For one attempt, up to the end of its answer, in milliseconds; 0: no limit. @default 30_000 */
  readonly timeoutMs?: number | undefined;
  /** Largest answer body, decoded. @default 16 MiB */
  readonly maxResponseBytes?: number | undefined;
  /** Applies to idempotent calls, and to those that could not be sent at all. */
  readonly retry?: RetryOptions | false | undefined;
}

export interface HttpClientOptions extends CallOptions {
  /** `http(s)://host[:port][/prefix]` */
  readonly baseUrl: string;
}

/** Take precedence over the client's options; headers are added to the client's. */
export interface RequestOptions extends CallOptions {
  readonly query?: Fields | undefined;
  /** A body, as JSON. */
  readonly json?: unknown;
  /** A body, as application/x-www-form-urlencoded. */
  readonly form?: Fields | undefined;
  /** A body, as it is. Set its `content-type` in `headers`. */
  readonly text?: string | undefined;
  /** A body that is read while it is sent; called for each attempt. Set its `content-type` in `headers`. */
  readonly stream?: (() => AsyncIterable<string | Uint8Array>) | undefined;
  /** How to read the answer. @default "json" */
  readonly read?: "json" | "text" | undefined;
  /** Whether the call may be carried out twice. @default true, except for POST and PATCH */
  readonly idempotent?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}
