import type { ApiError } from "../api-error.ts";
import type { AnswerFacts } from "../facts/answer-facts.ts";
import { parseJson } from "../json/exact-json.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { eventError } from "./error-message.ts";
import { EventFraming } from "./event-framing.ts";
import { maxEventBytes, type StreamReader, type StreamReaderOptions } from "./stream-reader.ts";
import { unreadableEvent } from "./unreadable-event.ts";
import { Withheld } from "./withheld.ts";

const lineEnds = new TextEncoder().encode("\n\n");

/** Reads a stream whose events name their types, and which ends at an event of a certain type. */
export abstract class TypedEventReader implements StreamReader {
  readonly #framing: EventFraming;
  readonly #withheld: Withheld;
  /** An event was too large to be read. */
  protected truncated = false;
  /** What is wrong with the first event that could not be read. */
  protected unreadable: string | null = null;
  terminal = false;
  betweenEvents = true;
  error: string | null = null;

  constructor(options: StreamReaderOptions) {
    const maxBytes = maxEventBytes(options);
    this.#framing = new EventFraming(maxBytes);
    this.#withheld = new Withheld(maxBytes);
  }

  abstract get complete(): boolean;
  abstract errorEvent(error: ApiError, request_id: string): string;
  abstract facts(): AnswerFacts;

  /**
   * Takes the data of an event.
   * @param isCut only the beginning of the data is there
   * @returns whether it was the terminal event
   */
  protected abstract readEvent(data: Buffer, isCut: boolean): boolean;

  /** The object that an event's data is; null: it is none, which is noted. */
  protected objectOf(data: Buffer): JsonObject | null {
    const text = data.toString();
    const event = parseJson(text);
    if (isJsonObject(event)) return event;
    this.unreadable ??= unreadableEvent(text);
    return null;
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    if (this.terminal) this.#withheld.keep(chunk);
    if (this.terminal || chunk.length === 0) return [];
    return this.#withheld.pass(chunk, this.#read(chunk));
  }

  tail(): readonly Uint8Array[] {
    return this.#withheld.bytes;
  }

  end(): void {
    if (this.terminal) return;
    // Ends the last event, after which nothing more is passed on.
    const { betweenEvents } = this;
    this.#read(lineEnds);
    this.betweenEvents = betweenEvents;
  }

  /**
   * Returns the offset up to which the chunk may be passed on: the end of the last event or of a comment
   * after it. An event too large to withhold is passed on except for a line's ending, which waits until the
   * next line has begun: before that, no client takes the event for complete.
   */
  #read(chunk: Uint8Array): number {
    const framing = this.#framing;
    framing.feed(chunk);
    let passed = this.#withheld.isEmpty ? framing.lineEnd : 0;
    let contentEnd = 0;
    for (;;) {
      const kind = framing.next();
      if (kind === null) break;
      if (kind === "event" && this.#readEvent()) {
        this.terminal = true;
        this.betweenEvents = !framing.oversized;
        return framing.oversized ? Math.max(passed, contentEnd) : passed;
      }
      if (framing.begun) contentEnd = framing.contentEnd;
      else passed = framing.lineEnd;
    }
    if (framing.oversized) {
      this.betweenEvents = false;
      return framing.lineStart < chunk.length ? chunk.length : Math.max(passed, contentEnd);
    }
    this.betweenEvents = passed < chunk.length || framing.betweenEvents;
    return passed;
  }

  #readEvent(): boolean {
    const { oversized } = this.#framing;
    if (oversized) this.truncated = true;
    const data = this.#framing.dataBytes();
    if (!this.#framing.isError) return this.readEvent(data, oversized);
    const text = data.toString();
    this.error ??= eventError(parseJson(text) ?? text);
    return true;
  }
}
