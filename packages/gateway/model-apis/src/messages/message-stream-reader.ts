import type { ApiError } from "../api-error.ts";
import type { AnswerFacts } from "../facts/answer-facts.ts";
import { hasContent, whyNoAnswer } from "../facts/object-facts.ts";
import { isJsonObject, type JsonObject, objectOf } from "../json/json-object.ts";
import { errorMessage } from "../streams/error-message.ts";
import { typedEvent } from "../streams/event-text.ts";
import type { StreamReaderOptions } from "../streams/stream-reader.ts";
import { TypedEventReader } from "../streams/typed-event-reader.ts";
import { MessageAssembly } from "./message-assembly.ts";
import { messageErrorBody } from "./message-error.ts";
import { messageTokens } from "./message-usage.ts";
import { servingModel } from "./serving-model.ts";

/** Reads the events of one message, a stream that ends at `message_stop`. */
export class MessageStreamReader extends TypedEventReader {
  readonly #assembly: MessageAssembly | null;
  readonly #usage: Record<string, unknown> = {};
  #stopReason: string | null = null;
  #id: string | null = null;
  #model: string | null = null;
  #stopped = false;
  /** A block has come. */
  #hasContent = false;

  constructor(options: StreamReaderOptions) {
    super(options);
    this.#assembly = options.assemble ? new MessageAssembly(options.maxBytes) : null;
  }

  override get complete(): boolean {
    return this.#stopped && this.error === null;
  }

  override errorEvent(error: ApiError, request_id: string): string {
    return typedEvent("error", { ...messageErrorBody(error, request_id) });
  }

  override facts(): AnswerFacts {
    const text = this.#assembly?.text() ?? null;
    return {
      complete: this.complete,
      error: this.error,
      no_answer: whyNoAnswer({
        content: this.#hasContent,
        error: false,
        reasons: [this.#stopReason],
        member: "content",
        unreadable: this.unreadable,
      }),
      is_pending: false,
      object_id: this.#id,
      finish_reason: this.#stopReason,
      response_model: this.#model,
      ...messageTokens(this.#usage),
      unreadable: this.unreadable,
      truncated: this.truncated || this.unreadable !== null || this.#assembly?.truncated === true,
      text,
      sensitive: text !== null,
    };
  }

  protected override readEvent(data: Buffer, isCut: boolean): boolean {
    // What cannot be read may be content.
    this.#hasContent ||= isCut;
    if (isCut) return false;
    const event = this.objectOf(data);
    if (event === null) return false;
    const { type } = event;
    if (type === "error" || (type === undefined && event.error)) {
      this.error ??= errorMessage(event.error);
      return true;
    }
    if (type === "message_stop") {
      this.#stopped = true;
      return true;
    }
    this.#model = servingModel(event) ?? this.#model;
    if (type === "message_start" && isJsonObject(event.message)) {
      if (typeof event.message.id === "string") this.#id = event.message.id;
      this.#hasContent ||= hasContent(event.message.content);
      this.#readEnd(event.message, event.message.usage);
    } else if (type === "message_delta") {
      this.#readEnd(objectOf(event.delta), event.usage);
    }
    this.#hasContent ||= type === "content_block_start" || type === "content_block_delta";
    this.#assembly?.add(event, data.length);
    return false;
  }

  /** Counts cover the whole message so far; a count missing from a later event stays. */
  #readEnd({ stop_reason }: JsonObject, usage: unknown): void {
    if (typeof stop_reason === "string") this.#stopReason = stop_reason;
    if (!isJsonObject(usage)) return;
    for (const [name, count] of Object.entries(usage)) {
      if (count !== null) this.#usage[name] = count;
    }
  }
}
