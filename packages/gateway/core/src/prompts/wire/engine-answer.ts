import { type AnswerPiece, type AnswerUsage, EventFraming } from "@proj/model-apis";
import { isJsonObject, type JsonObject, objectOf } from "@proj/model-apis/json";
import { type EngineTokens, readEngineTokens } from "@proj/model-apis/tokens";
import { type CallReader, CallsInText } from "./calls-in-text.ts";
import { SettledTokens } from "./settled-tokens.ts";
import { withoutEcho } from "./without-echo.ts";

/** How an engine's answer ended. */
export interface EngineEnd {
  /** In the engine's own word. */
  readonly finish_reason: string;
  /** The text that ended it, if the request named one. */
  readonly stop_sequence: string | null;
  readonly usage: AnswerUsage;
}

export interface EngineAnswerOptions {
  /** Limit of one event. */
  readonly maxEventBytes: number;
  /** The id that the agent gets for a tool call. */
  readonly idOfCall: (call: number) => string;
  /** How many tool calls the agent has got before. */
  readonly calls: number;
  /** Whether pieces of text carry their log probabilities. */
  readonly withLogprobs: boolean;
  /** Whether the engine holds text back, as it does to find stop texts. */
  readonly lags: boolean;
  /** The prompt's ids that it was sent, as in `EngineRequest.ids`; null: it was sent none. */
  readonly prompt: Buffer | null;
  /** Reads the calls in its text, which goes on within one; null: the engine's parsers do. */
  readonly inCalls: CallReader | null;
}

/** Where an engine can go on with an answer that was cut off. */
export interface PlaceToGoOn {
  /** How many tokens, pieces and tool calls are before it. */
  readonly tokens: number;
  readonly pieces: number;
  readonly calls: number;
  /** What the tokens before it say, and the engine has not given out. */
  readonly rest: readonly AnswerPiece[];
  /** Within a tool call, as `EngineAnswerOptions.inCalls`. */
  readonly inCalls: CallReader | null;
}

/** Reads an engine's streamed chat completion: what it says, and in which tokens. */
export class EngineAnswer {
  readonly #framing: EventFraming;
  readonly #options: EngineAnswerOptions;
  /** The agent's number of each tool call, by the engine's. */
  readonly #calls = new Map<number, number>();
  readonly #sampled: unknown[] = [];
  readonly #logprobs: unknown[] = [];
  readonly #settled: SettledTokens;
  /** Members that an engine sends once, from any chunk. */
  #once: JsonObject = {};
  #onceOfChoice: JsonObject = {};
  #usage: JsonObject = {};
  #finish: string | null = null;
  #stop: string | null = null;
  /** The engine has said that nothing follows. */
  isDone = false;
  /** Why the answer is none; null while it may be one. */
  error: string | null = null;

  constructor(options: EngineAnswerOptions) {
    this.#options = options;
    this.#framing = new EventFraming(options.maxEventBytes);
    this.#settled = new SettledTokens(options.lags);
  }

  push(bytes: Uint8Array): AnswerPiece[] {
    const pieces: AnswerPiece[] = [];
    this.#framing.feed(bytes);
    for (let line = this.#framing.next(); line !== null; line = this.#framing.next())
      if (line === "event")
        pieces.push(...this.#read(withoutEcho(this.#framing.dataBytes(), this.#options.prompt)));
    return pieces;
  }

  /** How many tokens have come. SGLang tells their ids at the end. */
  get sampled(): number {
    return Math.max(this.#sampled.length, this.#logprobs.length);
  }

  /** The engine stopped in the middle, because it was paused. */
  get isCut(): boolean {
    return this.#finish === cutOff;
  }

  /** Whether it has made any piece. */
  get hasPieces(): boolean {
    return !this.#settled.isNone;
  }

  /**
   * Where the engine can go on in another request; null: nowhere behind what was given out.
   * @param isGiven pieces cannot be taken back
   * @param tools the names of those that may be called
   */
  placeToGoOn(
    isGiven: boolean,
    stops: readonly string[],
    tools: readonly string[],
  ): PlaceToGoOn | null {
    const { tokens, pieces, calls, isAll, last, begunCalls } = this.#settled;
    const { inCalls, idOfCall } = this.#options;
    if (isAll || !isGiven) return { tokens, pieces, calls, rest: [], inCalls };
    const isText = typeof last === "string" && inCalls === null;
    const place = this.#settled.behind(isText ? stops : null);
    if (place === null) return null;
    const { text } = place;
    const given = { tokens: place.tokens, pieces, calls: begunCalls };
    if (isText) return { ...given, rest: text === "" ? [] : [{ kind: last, text }], inCalls };
    const reads =
      inCalls ??
      (typeof last === "string" ? null : new CallsInText({ open: last, tools, idOfCall }));
    return reads && { ...given, rest: reads.push(text), inCalls: reads };
  }

  /** Behind all tokens, if a tool call is open there. */
  placeWithinCall(tokens: number, inCalls: CallReader): PlaceToGoOn | null {
    const { pieces, begunCalls, last } = this.#settled;
    const isWithin = this.#options.inCalls === inCalls || typeof last !== "string";
    return isWithin ? { tokens, pieces, calls: begunCalls, rest: [], inCalls } : null;
  }

  /** Null: the answer broke off. */
  get end(): EngineEnd | null {
    if (this.#finish === null || this.isCut || this.error !== null) return null;
    return { finish_reason: this.#finish, stop_sequence: this.#stop, usage: this.usage };
  }

  /** How many tokens it has sampled, as it says itself; null: it has not said. */
  get counted(): number | null {
    const { completion_tokens } = this.#usage;
    return typeof completion_tokens === "number" ? completion_tokens : null;
  }

  /** What the engine has counted so far. */
  get usage(): AnswerUsage {
    const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } =
      this.#usage;
    return {
      prompt_tokens: countOf(prompt_tokens),
      cached_tokens: countOf(objectOf(prompt_tokens_details).cached_tokens),
      completion_tokens: countOf(completion_tokens) || this.#sampled.length,
      reasoning_tokens: countOf(objectOf(completion_tokens_details).reasoning_tokens),
    };
  }

  /** Without the prompt's ids if they are those that were sent. */
  tokens(): EngineTokens {
    const ids = this.#sampled.length === 0 ? {} : { token_ids: this.#sampled };
    const logprobs = this.#logprobs.length === 0 ? {} : { logprobs: { content: this.#logprobs } };
    return readEngineTokens({
      ...this.#once,
      choices: [{ ...this.#onceOfChoice, ...ids, ...logprobs }],
    });
  }

  #read(data: string): AnswerPiece[] {
    this.isDone ||= data === "[DONE]";
    if (this.isDone || this.error !== null) return [];
    const chunk = parsed(data);
    if (chunk === null) {
      this.error = "The engine sent an event that is not JSON.";
      return [];
    }
    const { choices, usage, error, prompt_token_ids, sglext, metadata } = chunk;
    if (isJsonObject(error)) this.error = String(error.message ?? "The engine reported an error.");
    if (isJsonObject(usage)) this.#usage = usage;
    this.#once = { ...this.#once, ...given({ prompt_token_ids, sglext, metadata }) };
    const [choice] = Array.isArray(choices) ? choices : [];
    return isJsonObject(choice) ? this.#readChoice(choice) : [];
  }

  #readChoice(choice: JsonObject): AnswerPiece[] {
    const { delta, logprobs, token_ids, finish_reason, meta_info, sglext } = choice;
    const { stop_reason = choice.matched_stop } = choice;
    this.#onceOfChoice = { ...this.#onceOfChoice, ...given({ meta_info, sglext }) };
    if (this.#finish !== null) return [];
    const sampled = this.sampled;
    if (Array.isArray(token_ids)) for (const id of token_ids) this.#sampled.push(id);
    const { content } = objectOf(logprobs);
    if (Array.isArray(content)) for (const entry of content) this.#logprobs.push(entry);
    if (typeof finish_reason === "string") this.#finish = finish_reason;
    // Beside other reasons it says more about them.
    if (finish_reason === "stop" && typeof stop_reason === "string") this.#stop = stop_reason;
    const count = this.sampled - sampled;
    // Without tokens, it is what the engine's parsers held back: an unfinished tag, for example.
    if (this.isCut && count === 0) return [];
    const entries = Array.isArray(content) ? content : null;
    const pieces = this.#pieces(objectOf(delta), entries);
    this.#settled.add(count, entries ?? [], pieces);
    const { inCalls } = this.#options;
    if (inCalls === null) return pieces;
    const read = pieces.flatMap((piece) => ("text" in piece ? inCalls.push(piece.text) : []));
    if (inCalls.isLost) this.error = "The rest of a tool call cannot be told from other text.";
    return read;
  }

  #pieces(delta: JsonObject, logprobs: readonly unknown[] | null): AnswerPiece[] {
    const { content, reasoning, reasoning_content = reasoning, tool_calls } = delta;
    const pieces: AnswerPiece[] = [];
    if (typeof reasoning_content === "string" && reasoning_content !== "")
      pieces.push({ kind: "reasoning", text: reasoning_content });
    if (typeof content === "string" && content !== "")
      pieces.push({
        kind: "text",
        text: content,
        ...(this.#options.withLogprobs && logprobs !== null
          ? { logprobs: { content: logprobs, refusal: null } }
          : {}),
      });
    for (const given of Array.isArray(tool_calls) ? tool_calls : []) {
      if (!isJsonObject(given)) continue;
      const index = typeof given.index === "number" ? given.index : this.#calls.size;
      const call = this.#calls.get(index) ?? this.#options.calls + this.#calls.size;
      const { name, arguments: text } = objectOf(given.function);
      if (!this.#calls.has(index)) {
        if (typeof name !== "string" || name === "") continue;
        this.#calls.set(index, call);
        pieces.push({ kind: "tool_call", call, id: this.#options.idOfCall(call), name });
      }
      if (typeof text === "string" && text !== "") pieces.push({ kind: "arguments", call, text });
    }
    return pieces;
  }
}

/** The word of both engines. */
const cutOff = "abort";

function parsed(data: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(data);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

const given = (members: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  );
const countOf = (value: unknown): number => (typeof value === "number" ? value : 0);
