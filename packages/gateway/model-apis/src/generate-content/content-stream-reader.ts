import type { ApiError } from "../api-error.ts";
import type { AnswerFacts } from "../facts/answer-facts.ts";
import { hasContent, whyNoAnswer } from "../facts/object-facts.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { errorMessage } from "../streams/error-message.ts";
import { dataEvent } from "../streams/event-text.ts";
import type { StreamReaderOptions } from "../streams/stream-reader.ts";
import { TypedEventReader } from "../streams/typed-event-reader.ts";
import { ContentAssembly } from "./content-assembly.ts";
import { contentErrorBody } from "./content-error.ts";
import { contentCounts, searchesIn } from "./content-usage.ts";

/**
 * Reads a streamed answer. It is whole once every candidate seen has its finish reason; the event that also has the
 * usage is the last one.
 */
export class ContentStreamReader extends TypedEventReader {
  readonly #assembly: ContentAssembly | null;
  readonly #usage: Record<string, unknown> = {};
  /** By the candidate's index; null while it goes on. */
  readonly #reasons = new Map<unknown, string | null>();
  readonly #searches: Record<string, number> = {};
  #blocked: string | null = null;
  #model: string | null = null;
  #hasContent = false;

  constructor(options: StreamReaderOptions) {
    super(options);
    this.#assembly = options.assemble ? new ContentAssembly(options.maxBytes) : null;
  }

  override get complete(): boolean {
    return this.#isFinished && this.error === null;
  }

  override errorEvent(error: ApiError, request_id: string): string {
    return dataEvent({ ...contentErrorBody(error, request_id) });
  }

  override facts(): AnswerFacts {
    const text = this.#assembly?.text() ?? null;
    const reasons = this.#reasons.size > 0 ? [...this.#reasons.values()] : [this.#blocked];
    return {
      complete: this.complete,
      error: this.error,
      no_answer: whyNoAnswer({
        content: this.#hasContent,
        error: false,
        reasons,
        member: "candidates",
        unreadable: this.unreadable,
      }),
      is_pending: false,
      object_id: null,
      finish_reason: reasons[0] ?? null,
      response_model: this.#model,
      ...contentCounts(this.#usage, this.#searches),
      unreadable: this.unreadable,
      truncated: this.truncated || this.unreadable !== null || this.#assembly?.truncated === true,
      text,
      sensitive: text !== null,
    };
  }

  get #isFinished(): boolean {
    const reasons = [...this.#reasons.values()];
    return reasons.length > 0 ? reasons.every((reason) => reason !== null) : this.#blocked !== null;
  }

  protected override readEvent(data: Buffer, isCut: boolean): boolean {
    // What cannot be read may be content.
    this.#hasContent ||= isCut;
    if (isCut) return false;
    const event = this.objectOf(data);
    if (event === null) return false;
    if (event.error) {
      this.error ??= errorMessage(event.error);
      return true;
    }
    const { candidates, usageMetadata, promptFeedback, modelVersion } = event;
    for (const [at, candidate] of (Array.isArray(candidates) ? candidates : []).entries())
      if (isJsonObject(candidate)) this.#readCandidate(candidate, at);
    const hasUsage = isJsonObject(usageMetadata);
    // Counts cover the whole answer so far.
    if (hasUsage) Object.assign(this.#usage, usageMetadata);
    if (isJsonObject(promptFeedback) && typeof promptFeedback.blockReason === "string")
      this.#blocked = promptFeedback.blockReason;
    if (typeof modelVersion === "string") this.#model = modelVersion;
    this.#assembly?.add(event, data.length);
    return hasUsage && this.#isFinished;
  }

  #readCandidate(
    { index, content, finishReason, groundingMetadata }: JsonObject,
    at: number,
  ): void {
    const key = index ?? at;
    const given = typeof finishReason === "string" && finishReason !== "" ? finishReason : null;
    this.#reasons.set(key, given ?? this.#reasons.get(key) ?? null);
    Object.assign(this.#searches, searchesIn(groundingMetadata));
    this.#hasContent ||= isJsonObject(content) && hasContent(content.parts);
  }
}
