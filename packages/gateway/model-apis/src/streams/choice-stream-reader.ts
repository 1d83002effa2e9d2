import { type ApiError, openaiErrorBody } from "../api-error.ts";
import type { AnswerFacts } from "../facts/answer-facts.ts";
import { hasContent, whyNoAnswer } from "../facts/object-facts.ts";
import { choiceUsage, tokensOfUsage } from "../facts/read-usage.ts";
import { tiersOf, withBilled } from "../facts/token-counts.ts";
import { parseJson } from "../json/exact-json.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { ChoiceAssembly, type ChoiceForm } from "./choice-assembly.ts";
import { isDone, matchDoneLine, notDone } from "./done-line.ts";
import { errorMessage, eventError } from "./error-message.ts";
import { EventFraming } from "./event-framing.ts";
import { dataEvent } from "./event-text.ts";
import { RepeatedChunk } from "./repeated-chunk.ts";
import { maxEventBytes, type StreamReader, type StreamReaderOptions } from "./stream-reader.ts";
import { unreadableEvent } from "./unreadable-event.ts";
import { Withheld } from "./withheld.ts";

const lineEnds = new TextEncoder().encode("\n\n");
/** A stream's chunks are no longer compared after this many in a row without a repetition. */
const mostUnlike = 8;

/** Reads a stream of chunks with `choices`, which ends at the line `data: [DONE]`. */
export class ChoiceStreamReader implements StreamReader {
  readonly #assembly: ChoiceAssembly | null;
  readonly #framing: EventFraming;
  readonly #withheld: Withheld;
  /** How many bytes of `data: [DONE]` the current line has matched. */
  #matched = 0;
  #terminalBegan = false;
  /** By choice index; null while the choice is not finished. */
  readonly #finishReasons = new Map<number, string | null>();
  #unfinished = 0;
  #usage: JsonObject | null = null;
  #model: string | null = null;
  #tier: unknown = null;
  #truncated = false;
  #unreadable: string | null = null;
  /** A choice has said something. */
  #hasContent = false;
  /** The last chunk that was parsed; null if none can repeat it. */
  #repeated: RepeatedChunk | null = null;
  #unlike = 0;
  terminal = false;
  betweenEvents = true;
  error: string | null = null;

  constructor(form: ChoiceForm, options: StreamReaderOptions) {
    const maxBytes = maxEventBytes(options);
    this.#assembly = options.assemble ? new ChoiceAssembly(form, options.maxBytes) : null;
    this.#framing = new EventFraming(maxBytes);
    this.#withheld = new Withheld(maxBytes);
  }

  get complete(): boolean {
    if (this.error !== null) return false;
    return this.terminal || (this.#finishReasons.size > 0 && this.#unfinished === 0);
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    if (!this.#terminalBegan) return this.#withheld.pass(chunk, this.#read(chunk));
    this.terminal ||= chunk.includes(0x0a) || chunk.includes(0x0d);
    this.#withheld.keep(chunk);
    return [];
  }

  tail(): readonly Uint8Array[] {
    return this.#withheld.bytes;
  }

  end(): void {
    if (this.#terminalBegan) {
      this.terminal = true;
      return;
    }
    // Ends the last event, after which nothing more is passed on.
    const { betweenEvents } = this;
    this.#read(lineEnds);
    this.betweenEvents = betweenEvents;
  }

  errorEvent(error: ApiError): string {
    return dataEvent(openaiErrorBody(error));
  }

  facts(): AnswerFacts {
    const indexes = [...this.#finishReasons.keys()].sort((one, other) => one - other);
    const text = this.#assembly?.text(indexes) ?? null;
    const tokens = tokensOfUsage(this.#usage, choiceUsage);
    return {
      complete: this.complete,
      error: this.error,
      no_answer: whyNoAnswer({
        content: this.#hasContent,
        error: false,
        reasons: [...this.#finishReasons.values()],
        member: "choices",
        unreadable: this.#unreadable,
      }),
      is_pending: false,
      object_id: null,
      finish_reason: this.#finishReasons.get(indexes[0] ?? 0) ?? null,
      response_model: this.#model,
      ...tokens,
      billed: withBilled(tokens.billed, { tiers: tiersOf(this.#tier), server_tools: {} }),
      unreadable: this.#unreadable,
      truncated: this.#truncated || this.#unreadable !== null || this.#assembly?.truncated === true,
      text,
      sensitive: text !== null,
    };
  }

  /** Returns the offset up to which the chunk may be passed on. */
  #read(chunk: Uint8Array): number {
    const framing = this.#framing;
    framing.feed(chunk);
    for (;;) {
      const { begun, hasData } = framing;
      const kind = framing.next();
      if (kind === "event") this.#readEvent();
      if (kind === "event" || kind === "blank") continue;
      const { continued, lineStart } = framing;
      const end = kind === null ? chunk.length : framing.contentEnd;
      const matched = continued ? this.#matched : 0;
      this.#matched = hasData ? notDone : matchDoneLine(matched, chunk, lineStart, end);
      if (this.#matched === isDone) {
        this.#terminalBegan = true;
        this.terminal = kind !== null;
      } else if (kind !== null) continue;
      // The terminal line, or the chunk's last line, which may become it.
      if (this.#matched > 0) {
        this.betweenEvents = !begun;
        return continued ? 0 : lineStart;
      }
      this.betweenEvents = framing.betweenEvents;
      return chunk.length;
    }
  }

  #readEvent(): void {
    if (this.#framing.oversized) {
      this.#truncated = true;
      // What cannot be read may be content.
      this.#hasContent = true;
      return;
    }
    const text = this.#framing.dataText();
    const addition = this.#repeated?.match(text) ?? null;
    if (addition !== null) {
      this.#unlike = 0;
      if (!this.#hasContent) this.#lookForContent(addition.choices);
      this.#assembly?.add(addition, text.length);
      return;
    }
    const chunk = parseJson(text);
    this.#repeated = null;
    if (this.#framing.isError) {
      this.error ??= eventError(chunk ?? text);
      return;
    }
    if (!isJsonObject(chunk)) {
      this.#unreadable ??= unreadableEvent(text);
      return;
    }
    const { choices, model } = chunk;
    // Groq's own place for it.
    const usage = chunk.usage ?? (isJsonObject(chunk.x_groq) ? chunk.x_groq.usage : null);
    // Some upstreams send their error object as the chunk.
    const error = chunk.object === "error" ? chunk : chunk.error;
    if (error) this.error ??= errorMessage(error);
    if (isJsonObject(usage)) this.#usage = usage;
    if (typeof model === "string") this.#model ??= model;
    this.#tier = chunk.service_tier ?? this.#tier;
    if (Array.isArray(choices)) {
      for (const choice of choices) this.#readChoice(choice);
      if (!this.#hasContent) this.#lookForContent(choices);
    } else if (error) return;
    this.#assembly?.add(chunk, text.length);
    if (!error && this.#unlike++ < mostUnlike) this.#repeated = RepeatedChunk.of(chunk, text);
  }

  #lookForContent(choices: unknown): void {
    if (!Array.isArray(choices)) return;
    for (const { delta, message, text } of choices.filter(isJsonObject)) {
      const said = [delta, message].filter(isJsonObject).map(({ role: _, ...members }) => members);
      this.#hasContent ||= hasContent(text) || said.flatMap(Object.values).some(hasContent);
    }
  }

  #readChoice(choice: unknown): void {
    if (!isJsonObject(choice)) return;
    const { finish_reason } = choice;
    const index = typeof choice.index === "number" ? choice.index : 0;
    choice.index = index;
    const reason = typeof finish_reason === "string" && finish_reason !== "" ? finish_reason : null;
    const known = this.#finishReasons.get(index);
    if (known === undefined) this.#unfinished++;
    if (reason !== null && typeof known !== "string") this.#unfinished--;
    if (reason !== null || known === undefined) this.#finishReasons.set(index, reason);
  }
}
