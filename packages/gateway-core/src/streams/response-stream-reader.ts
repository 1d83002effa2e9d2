import { isUtf8 } from "node:buffer";
import type { AnswerFacts } from "../telemetry/answer-facts.ts";
import { readPlainAnswer } from "../telemetry/plain-answer.ts";
import { errorMessage } from "./error-message.ts";
import { EventFraming } from "./event-framing.ts";
import { outlineEvent } from "./event-outline.ts";
import { isJsonObject, parseJson } from "./exact-json.ts";
import type { ResponseAssembly } from "./response-assembly.ts";
import { Withheld } from "./withheld.ts";

const lineEnds = Buffer.from("\n\n");

/** The events that end a stream with a response, and the status that it then has. */
const terminalStatus: ReadonlyMap<string, string> = new Map([
  ["response.completed", "completed"],
  ["response.incomplete", "incomplete"],
  ["response.failed", "failed"],
]);

/** Reads a responses stream, which ends at an event that is known by its own `type`. */
export class ResponseStreamReader {
  readonly #assembly: ResponseAssembly | null;
  readonly #framing: EventFraming;
  readonly #withheld: Withheld;
  #status: string | null = null;
  /** What the terminal event's response says. */
  #answer: AnswerFacts | null = null;
  #truncated = false;
  terminal = false;
  betweenEvents = true;
  error: string | null = null;
  nextSequenceNumber = 0;

  constructor(assembly: ResponseAssembly | null, maxEventBytes: number) {
    this.#assembly = assembly;
    this.#framing = new EventFraming(maxEventBytes);
    this.#withheld = new Withheld(maxEventBytes);
  }

  get complete(): boolean {
    return this.#status !== null && this.error === null;
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
    // Ends the last event, of which nothing more goes on.
    const { betweenEvents, nextSequenceNumber } = this;
    this.#read(lineEnds);
    this.betweenEvents = betweenEvents;
    this.nextSequenceNumber = nextSequenceNumber;
  }

  facts(): AnswerFacts {
    const answer = this.#answer;
    const text = answer?.text ?? this.#assembly?.text() ?? null;
    // What the items could not hold is no matter where the response came whole.
    const lacksItems = text !== answer?.text && this.#assembly?.truncated === true;
    return {
      complete: this.complete,
      error: this.error,
      finish_reason: answer?.finish_reason ?? this.#status,
      prompt_tokens: answer?.prompt_tokens ?? null,
      completion_tokens: answer?.completion_tokens ?? null,
      truncated: this.#truncated || lacksItems,
      text,
      sensitive: text !== null,
    };
  }

  /**
   * Returns up to where the chunk may go on: to the end of the last event or of a comment behind it.
   * Of an event that is too large to withhold, all goes on but a line's ending until the next line
   * has begun: no client takes an event for whole before that.
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

  /** Returns whether it was the terminal event. */
  #readEvent(): boolean {
    const { oversized } = this.#framing;
    if (oversized) this.#truncated = true;
    const data = this.#framing.dataBytes();
    const outline = outlineEvent(data, oversized);
    if (outline === null) return false;
    const { type, sequenceNumber, responseStart, responseEnd } = outline;
    const response = data.subarray(responseStart, responseEnd);
    const status = terminalStatus.get(type ?? "");
    if (status !== undefined) {
      this.#status = status;
      if (!oversized) this.#readAnswer(response);
      return true;
    }
    if (type === "error") {
      this.error ??= errorMessage(readError(data));
      return true;
    }
    if (sequenceNumber !== null) this.nextSequenceNumber = sequenceNumber + 1;
    if (oversized) return false;
    if (type === null) {
      // No event of this endpoint, but clients take it for an error.
      const error = readError(data);
      if (error) this.error ??= errorMessage(error);
    } else if (response.length > 0) this.#assembly?.addResponse(response);
    else this.#assembly?.add(type, data);
    return false;
  }

  #readAnswer(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const response = isUtf8(bytes) ? bytes : Buffer.from(bytes.toString());
    const answer = readPlainAnswer(response, "responses", false);
    const fits = this.#assembly !== null && response.length <= this.#assembly.maxBytes;
    if (this.#assembly !== null && !fits) this.#truncated = true;
    this.#answer = fits ? answer : { ...answer, text: null };
  }
}

/** The error that an event brings in a member, or is itself. */
function readError(data: Buffer): unknown {
  const event = parseJson(data.toString());
  if (!isJsonObject(event)) return null;
  return event.error ?? (event.type === "error" ? event : null);
}
