import { type IdGenerator, RandomIdGenerator } from "@opentelemetry/sdk-trace";
import type { SpanPlace } from "./tracer.ts";

/** Gives the next span the ids that it is to have, and random ones otherwise. */
export class FixedIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #next: SpanPlace | null = null;

  /** For what `begin` makes in this turn. */
  with<Span>(place: SpanPlace | null, begin: () => Span): Span {
    this.#next = place;
    try {
      return begin();
    } finally {
      this.#next = null;
    }
  }

  generateTraceId = (): string => this.#next?.trace_id ?? this.#random.generateTraceId();
  generateSpanId = (): string => this.#next?.span_id ?? this.#random.generateSpanId();
}
