/** Where a span belongs: W3C Trace Context's two ids, in lower-case hexadecimal. */
export interface SpanPlace {
  /** 32 digits. */
  readonly trace_id: string;
  /** 16 digits. */
  readonly span_id: string;
}

export type AttributeValue = string | number | boolean | readonly string[];
/** Undefined values are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

export interface SpanStart {
  readonly name: string;
  /** `client`: a request to another service. @default internal */
  readonly kind?: "internal" | "client";
  /** Null: it begins a trace. */
  readonly parent: SpanPlace | null;
  /** Its ids, if others already know them. @default random ones */
  readonly place?: SpanPlace;
  /** Related spans, in this trace or another. */
  readonly links?: readonly SpanPlace[];
  /** Milliseconds since the epoch. */
  readonly started_at: number;
}

export interface SpanEnd {
  readonly attributes: Attributes;
  /** The kind of error that it ended in, for `error.type`; null: none. */
  readonly error: string | null;
  /** Milliseconds since the epoch. */
  readonly ended_at: number;
}

/** A span that has begun. */
export interface OpenSpan extends SpanPlace {
  /** The header of the same name, for requests made on the span's behalf. */
  readonly traceparent: string;
  /** Call it once. */
  end(end: SpanEnd): void;
}

/** Why spans were lost: `queue_full`, `refused` by the receiver, or unsent at `shutdown`. */
export type SpanLoss = "queue_full" | "refused" | "shutdown";

/** What became of the spans that have ended. */
export interface SpanCounts {
  readonly queued: number;
  readonly exported: number;
  readonly lost: Readonly<Record<SpanLoss, number>>;
}

/** Makes spans and sends them to a receiver. It never waits and never throws. */
export interface Tracer {
  begin(start: SpanStart): OpenSpan;
  readonly counts: SpanCounts;
  /** Sends what is queued, for three seconds at most; the rest is lost. */
  close(): Promise<void>;
}
