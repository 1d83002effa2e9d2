import type { AnswerPiece, ChatMessage, LiveAnswer, RequestBody } from "@proj/model-apis";
import type { JsonObject } from "@proj/model-apis/json";
import type { EngineRecord, EngineTokens } from "@proj/model-apis/tokens";
import {
  EngineAnswer,
  type EngineRequest,
  type MadePrompt,
  type PlaceToGoOn,
  promptIds,
  resumedPrompt,
  wholePrompt,
} from "../prompts/index.ts";
import { endOf, whyCut } from "./answer-end.ts";
import { AnswerParts } from "./answer-parts.ts";
import type { EngineCallOptions } from "./engine-call-options.ts";
import { GivenCalls, unreadCalls } from "./given-calls.ts";
import { isPrompt, membersBehind, placeToGoOn } from "./resumed-request.ts";
import { areIds, wrongIds } from "./told-ids.ts";
import { WeightSpans } from "./weight-spans.ts";

/** More often than any weights change within one answer. */
const maxResumed = 64;

/** One answer of an engine on its way into an agent's API. */
export class EngineCall {
  readonly #options: EngineCallOptions;
  readonly #live: LiveAnswer;
  readonly #spans: WeightSpans;
  readonly #parts = new AnswerParts();
  /** The part that is being generated. */
  #engine: EngineAnswer;
  #mismatched = false;
  /** Pieces that the live answer has not got: all of one that is not streamed, until its end. */
  #pieces: AnswerPiece[] = [];
  /** How many of them are of earlier parts. */
  #settled = 0;
  /** Tool calls of earlier parts. */
  #calls = 0;
  readonly #given = new GivenCalls();
  /** The rest of a tool call is sampled, and nobody has read it. */
  #isUnread = false;
  #begun = false;
  #thought = "";

  constructor(options: EngineCallOptions) {
    const { request_id, model, chat, history, request, prompt, sent } = options;
    const { [history]: _history, ...head } = request;
    this.#options = options;
    this.#spans = new WeightSpans(options.weights);
    this.#engine = this.#openPart(sent);
    this.#live = chat.open({
      request_id,
      model,
      created: Math.floor(Date.now() / 1_000),
      request: head,
      prompt_tokens: prompt?.ids.length ?? 0,
    });
  }

  /** What went wrong inside the answer; null: nothing yet. */
  get error(): string | null {
    return this.#engine.error;
  }

  /** Nothing follows, whether or not the engine's body ends. */
  get isDone(): boolean {
    return this.#engine.isDone && this.#engine.error === null;
  }

  /** A pause of the engine has cut the answer off. */
  get isCut(): boolean {
    return this.#engine.isCut;
  }

  /** Takes the engine's next bytes and returns the events that they make. */
  push(bytes: Uint8Array): string {
    this.#spans.note(this.#parts.ids.length + this.#engine.sampled);
    const pieces = this.#engine.push(bytes);
    this.#pieces.push(...pieces);
    this.#given.add(pieces);
    return this.#options.streams ? this.#write() : "";
  }

  /**
   * Drops what was sampled behind the place where the engine can go on, which is the beginning if it can nowhere else.
   * @returns what the engine is asked to go on with; null: the agent has got it already
   */
  resume(): RequestBody | null {
    const { asked, prompt, streams, write } = this.#options;
    const part = this.#engine.tokens();
    const place = placeToGoOn(this.#engine, part, this.#options);
    if (place === null || !areIds(part.completion_ids ?? [])) return null;
    if (this.#parts.resumed.length === maxResumed) return null;
    const { tokens, pieces, calls, rest, inCalls } = place;
    this.#isUnread = inCalls === unreadCalls;
    this.#given.add(rest);
    this.#mismatched = this.#isMismatch(part);
    this.#parts.keep(part, this.#engine.usage, tokens);
    const { ids } = this.#parts;
    this.#spans.cut(ids.length);
    this.#calls += calls;
    if (!streams) this.#pieces.length = this.#settled + pieces;
    this.#pieces.push(...rest);
    this.#settled = this.#pieces.length;
    const longer = prompt === null ? null : resumedPrompt(prompt.ids, ids);
    const changed = membersBehind(ids.length, asked.members, inCalls !== null);
    const members = { ...asked.members, ...changed };
    const sent = write({ ...asked, members }, longer);
    this.#engine = this.#openPart(sent, inCalls);
    return sent.body;
  }

  /** Whether the answer has ended within what `readCalls` is to read. */
  get isUnread(): boolean {
    const { finish_reason } = this.#engine.end ?? {};
    return this.#isUnread && (finish_reason === "stop" || finish_reason === "tool_calls");
  }

  /**
   * Has the engine's own parser read the whole answer.
   * @returns whether the agent can get the rest: what it has got already is not taken back
   */
  async readCalls(signal: AbortSignal): Promise<boolean> {
    const sampled = Array.from(this.#parts.tokens(this.#engine.tokens()).completion_ids ?? []);
    const whole = (await this.#options.parse?.(sampled, signal)) ?? [];
    const rest = this.#given.restOf(whole, this.#idOfCall);
    this.#isUnread = false;
    this.#pieces.push(...(rest ?? []));
    return rest !== null;
  }

  /** The engine's body has ended. Null: its answer had not. */
  end(): { readonly events: string; readonly whole: JsonObject } | null {
    const end = this.#engine.end;
    if (end === null) return null;
    const pieces = this.#write();
    const usage = this.#parts.usage(end.usage);
    // The engine sees the last part's calls alone.
    const isCalling = this.#calls > 0 && end.finish_reason === "stop";
    const finish_reason = isCalling ? "tool_calls" : end.finish_reason;
    const ending = endOf({ ...end, finish_reason, usage });
    const events = pieces + this.#begin() + this.#live.end(ending);
    return { events, whole: this.#live.whole() };
  }

  /** The answer as a message of the history, for the next prompt. */
  answer(): ChatMessage {
    const { chat, history } = this.#options;
    const { messages } = chat.read({ [history]: chat.givenBack(this.#live.whole()) });
    const answer = messages.at(-1) ?? { role: "assistant", content: "" };
    // Google's API does not show thinking to agents that do not ask for it.
    return this.#thought === "" ? answer : { reasoning_content: this.#thought, ...answer };
  }

  /** What the engine said so far, and the prompt as it was used. */
  outcome(): { readonly record: EngineRecord; readonly prompt: MadePrompt | null } {
    const part = this.#engine.tokens();
    const tokens = this.#parts.tokens(part);
    const end = this.#engine.end;
    const prompt = this.#usedPrompt(tokens);
    const prompt_mismatch = this.#isMismatch(part);
    const wrong_ids = wrongIds(part.completion_ids, this.#engine.counted);
    const record: EngineRecord = {
      prompt: {
        continues: prompt?.origin.made === "continued" ? prompt.origin.step : null,
        ids: prompt?.ids.added ?? [],
      },
      made: prompt?.origin.made ?? "rendered",
      reason: prompt?.origin.made === "rendered" ? prompt.origin.reason : null,
      token_ids: wrong_ids === "not_ids" ? [] : (tokens.completion_ids ?? []),
      logprobs: tokens.logprobs,
      versions: tokens.versions ?? this.#spans.spans(this.#parts.ids.length + this.#engine.sampled),
      finish_reason: end?.finish_reason ?? null,
      cut: prompt_mismatch ? "prompt_mismatch" : whyCut(end, wrong_ids),
      wrong_ids,
      prompt_mismatch,
      resumed: this.#parts.resumed,
      ignored: this.#options.asked.ignored,
    };
    return { record, prompt };
  }

  #usedPrompt({ prompt_ids }: EngineTokens): MadePrompt | null {
    const { prompt } = this.#options;
    if (prompt !== null || prompt_ids === null || !areIds(prompt_ids)) return prompt;
    return {
      ids: promptIds(null, Int32Array.from(prompt_ids)),
      origin: { made: "rendered", reason: "images" },
      keys: { messages: [], beginnings: [""] },
      tools: "",
      agent: null,
    };
  }

  readonly #idOfCall = (call: number): string =>
    `call_${this.#options.request_id.replaceAll("-", "")}_${call.toString(36)}`;

  #openPart({ ids }: EngineRequest, inCalls: PlaceToGoOn["inCalls"] = null): EngineAnswer {
    const { request, asked, maxEventBytes } = this.#options;
    return new EngineAnswer({
      maxEventBytes,
      idOfCall: this.#idOfCall,
      calls: this.#calls,
      withLogprobs: request.logprobs === true,
      lags: asked.members.stop !== undefined,
      prompt: ids,
      inCalls,
    });
  }

  /**
   * Whether the engine was prompted with other ids, now or before it was cut. One that does not say them is believed.
   */
  #isMismatch({ prompt_ids }: EngineTokens): boolean {
    const { prompt } = this.#options;
    if (this.#mismatched || prompt === null || prompt_ids === null) return this.#mismatched;
    return !isPrompt(wholePrompt(prompt.ids), this.#parts.ids, prompt_ids);
  }

  #begin(): string {
    if (this.#begun) return "";
    this.#begun = true;
    return this.#live.begin();
  }

  #write(): string {
    const pieces = this.#pieces;
    this.#pieces = [];
    for (const piece of pieces) if (piece.kind === "reasoning") this.#thought += piece.text;
    return pieces.length === 0
      ? ""
      : this.#begin() + pieces.map((piece) => this.#live.piece(piece)).join("");
  }
}
