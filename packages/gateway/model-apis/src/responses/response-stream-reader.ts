import type { ApiError } from "../api-error.ts";
import type { AnswerFacts } from "../facts/answer-facts.ts";
import type { ReadFacts } from "../facts/object-facts.ts";
import { readPlainAnswer } from "../facts/plain-answer.ts";
import { tokensOf } from "../facts/token-counts.ts";
import { parseJson } from "../json/exact-json.ts";
import { isJsonObject } from "../json/json-object.ts";
import { errorMessage } from "../streams/error-message.ts";
import { typedEvent } from "../streams/event-text.ts";
import type { StreamReaderOptions } from "../streams/stream-reader.ts";
import { TypedEventReader } from "../streams/typed-event-reader.ts";
import { unreadableEvent } from "../streams/unreadable-event.ts";
import { outlineEvent } from "./event-outline.ts";
import { ResponseAssembly } from "./response-assembly.ts";
import { readResponse, readResponseFacts, whyNoResponse } from "./response-facts.ts";
import { isItemEvent } from "./response-pieces.ts";

/** The events that end a stream with a response, and the response's status then. */
const terminalStatus: ReadonlyMap<string, string> = new Map([
  ["response.completed", "completed"],
  ["response.incomplete", "incomplete"],
  ["response.failed", "failed"],
]);

/** Reads a responses stream, whose last event is recognised by its `type`. */
export class ResponseStreamReader extends TypedEventReader {
  readonly #assembly: ResponseAssembly | null;
  #status: string | null = null;
  #id: string | null = null;
  #model: string | null = null;
  /** The facts of the terminal event's response. */
  #answer: AnswerFacts | null = null;
  /** The terminal event was too large to be read. */
  #endIsCut = false;
  /** An item has come. */
  #itemsCame = false;
  /** The answer's output is what came before the terminal event. */
  #isAssembled = true;
  /** One more than the last number passed on. */
  nextSequenceNumber = 0;

  constructor(options: StreamReaderOptions) {
    super(options);
    this.#assembly = options.assemble ? new ResponseAssembly(options.maxBytes) : null;
  }

  get complete(): boolean {
    return this.#status !== null && this.error === null;
  }

  override end(): void {
    const { nextSequenceNumber } = this;
    super.end();
    // The last event may have been read just now; it is not passed on.
    this.nextSequenceNumber = nextSequenceNumber;
  }

  errorEvent({ code, message, param }: ApiError): string {
    const { nextSequenceNumber: sequence_number } = this;
    return typedEvent("error", { code, message, param, sequence_number });
  }

  facts(): AnswerFacts {
    const answer = this.#answer;
    const text = answer?.text ?? this.#assembly?.text() ?? null;
    // If the response came whole, what the items could not hold does not matter.
    const lacksItems = this.#isAssembled && this.#assembly?.truncated === true;
    return {
      complete: this.complete,
      error: this.error,
      no_answer: answer === null ? this.#whyNoAnswer() : answer.no_answer,
      is_pending: false,
      object_id: answer?.object_id ?? this.#id,
      finish_reason: answer?.finish_reason ?? this.#status,
      response_model: answer?.response_model ?? this.#model,
      ...tokensOf(answer),
      unreadable: this.unreadable,
      // An answer that came whole lacks nothing.
      truncated: this.truncated || (this.#isAssembled && this.unreadable !== null) || lacksItems,
      text,
      sensitive: text !== null,
    };
  }

  protected override readEvent(data: Buffer, isCut: boolean): boolean {
    const outline = outlineEvent(data, isCut);
    if (outline === null) {
      this.unreadable ??= unreadableEvent(data.toString());
      return false;
    }
    const { type, sequenceNumber, responseStart, responseEnd } = outline;
    const response = data.subarray(responseStart, responseEnd);
    const status = terminalStatus.get(type ?? "");
    if (status !== undefined) {
      this.#status = status;
      this.#endIsCut = isCut;
      if (!isCut) this.#readAnswer(response);
      return true;
    }
    if (type === "error") {
      this.error ??= errorMessage(readError(data));
      return true;
    }
    if (sequenceNumber !== null) this.nextSequenceNumber = sequenceNumber + 1;
    if (type !== null) this.#itemsCame ||= isItemEvent(type);
    if (isCut) return false;
    if (type === null) {
      // Not an event of this endpoint, but clients treat it as an error.
      const error = readError(data);
      if (error) this.error ??= errorMessage(error);
    } else if (response.length > 0) {
      this.#readBeginning(response);
      this.#assembly?.addResponse(response);
    } else this.#assembly?.add(type, data);
    return false;
  }

  #readBeginning(response: Buffer): void {
    if (this.#id !== null) return;
    const { object_id, response_model } = readPlainAnswer(response, readResponseFacts, false);
    this.#id = object_id;
    this.#model = response_model;
  }

  #readAnswer(response: Buffer): void {
    if (response.length === 0) return;
    let hasOutput = false;
    const read: ReadFacts = (scanner, facts) => {
      hasOutput = readResponse(scanner, facts, this.#itemsCame);
    };
    const answer = readPlainAnswer(response, read, false);
    const fits = this.#assembly !== null && response.length <= this.#assembly.maxBytes;
    if (this.#assembly !== null && !fits) this.truncated = true;
    this.#isAssembled = !hasOutput && this.#itemsCame;
    if (!fits) this.#answer = { ...answer, text: null };
    else if (!this.#isAssembled) this.#answer = answer;
    else this.#answer = assembled(answer, this.#assembly?.text(response) ?? null);
  }

  /** Of a terminal event that has no response, or one too large to be read. */
  #whyNoAnswer(): string | null {
    if (this.#status === null) return null;
    return whyNoResponse(this.#status, false, this.#itemsCame || this.#endIsCut);
  }
}

/** The answer with the output that was streamed; the calls in it may be billed. */
function assembled(answer: AnswerFacts, text: Uint8Array | null): AnswerFacts {
  if (text === null) return { ...answer, text };
  const { billed } = readPlainAnswer(text, readResponseFacts, false);
  return { ...answer, text, billed };
}

/** The error that an event carries in a member, or is itself. */
function readError(data: Buffer): unknown {
  const event = parseJson(data.toString());
  if (!isJsonObject(event)) return null;
  return event.error ?? (event.type === "error" ? event : null);
}
