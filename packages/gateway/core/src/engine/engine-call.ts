import type {
  AnswerPiece,
  ChatMessage,
  ChatRequest,
  ChatTranslation,
  LiveAnswer,
} from "@proj/model-apis";
import type { JsonObject } from "@proj/model-apis/json";
import type { EngineRecord, EngineTokens } from "@proj/model-apis/tokens";
import {
  EngineAnswer,
  type EngineEnd,
  type MadePrompt,
  promptIds,
  wholePrompt,
} from "../prompts/index.ts";

import { WeightSpans } from "./weight-spans.ts";

export interface EngineCallOptions {
  readonly request_id: string;
  /** The route key. */
  readonly model: string;
  readonly chat: ChatTranslation;
  /** The member of the request that holds its history. */
  readonly history: string;
  readonly request: JsonObject;
  readonly asked: ChatRequest;
  /** Null: the engine renders the messages itself. */
  readonly prompt: MadePrompt | null;
  readonly maxEventBytes: number;
  /** The version of the route's weights, now. */
  readonly weights: () => string | null;
}

/** One answer of an engine on its way into an agent's API. */
export class EngineCall {
  readonly #options: EngineCallOptions;
  readonly #engine: EngineAnswer;
  readonly #live: LiveAnswer;
  readonly #spans: WeightSpans;
  #begun = false;

  constructor(options: EngineCallOptions) {
    const { request_id, model, chat, history, request, prompt, maxEventBytes } = options;
    const { [history]: _history, ...head } = request;
    const idOfCall = (call: number): string => `call_${request_id}_${call}`;
    this.#options = options;
    this.#spans = new WeightSpans(options.weights);
    this.#engine = new EngineAnswer(maxEventBytes, idOfCall, request.logprobs === true);
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

  /** Takes the engine's next bytes and returns the events that they make. */
  push(bytes: Uint8Array): string {
    this.#spans.note(this.#engine.sampled);
    const pieces = this.#engine.push(bytes);
    return pieces.length === 0
      ? ""
      : this.#begin() + pieces.map((piece) => this.#write(piece)).join("");
  }

  /** The engine's body has ended. Null: its answer had not. */
  end(): { readonly events: string; readonly whole: JsonObject } | null {
    const end = this.#engine.end;
    if (end === null) return null;
    const events = this.#begin() + this.#live.end(endOf(end));
    return { events, whole: this.#live.whole() };
  }

  /** The answer as a message of the history, for the next prompt. */
  answer(): ChatMessage {
    const { chat, history } = this.#options;
    const { messages } = chat.read({ [history]: chat.givenBack(this.#live.whole()) });
    return messages.at(-1) ?? { role: "assistant", content: "" };
  }

  /** What the engine said so far, and the prompt as it was used. */
  outcome(): { readonly record: EngineRecord; readonly prompt: MadePrompt | null } {
    const tokens = this.#engine.tokens();
    const end = this.#engine.end;
    const prompt = this.#usedPrompt(tokens);
    const prompt_mismatch = prompt !== null && !isPrompt(prompt, tokens.prompt_ids);
    const record: EngineRecord = {
      prompt: {
        continues: prompt?.origin.made === "continued" ? prompt.origin.step : null,
        ids: prompt?.ids.added ?? [],
      },
      made: prompt?.origin.made ?? "rendered",
      reason: prompt?.origin.made === "rendered" ? prompt.origin.reason : null,
      token_ids: tokens.completion_ids ?? [],
      logprobs: tokens.logprobs,
      versions: tokens.versions ?? this.#spans.spans(this.#engine.sampled),
      finish_reason: end?.finish_reason ?? null,
      cut: prompt_mismatch ? "prompt_mismatch" : whyCut(end),
      prompt_mismatch,
      ignored: this.#options.asked.ignored,
    };
    return { record, prompt };
  }

  #usedPrompt({ prompt_ids }: EngineTokens): MadePrompt | null {
    const { prompt } = this.#options;
    if (prompt !== null || prompt_ids === null) return prompt;
    return {
      ids: promptIds(null, Int32Array.from(prompt_ids)),
      origin: { made: "rendered", reason: "images" },
      messages: [],
      tools: "",
    };
  }

  #begin(): string {
    if (this.#begun) return "";
    this.#begun = true;
    return this.#live.begin();
  }

  #write(piece: AnswerPiece): string {
    return this.#live.piece(piece);
  }
}

function endOf({
  finish_reason,
  stop_sequence,
  usage,
}: EngineEnd): Parameters<LiveAnswer["end"]>[0] {
  const known = (["length", "tool_calls", "content_filter"] as const).find(
    (it) => it === finish_reason,
  );
  return { finish: known ?? "stop", stop_sequence, usage };
}

/** Nothing may continue an answer that does not end where the model ended its turn. */
function whyCut(end: EngineEnd | null): string | null {
  if (end === null) return "broken_off";
  if (end.stop_sequence !== null) return "stop_sequence";
  return end.finish_reason === "stop" || end.finish_reason === "tool_calls"
    ? null
    : end.finish_reason;
}

/** An engine that does not say its prompt's ids is believed. */
function isPrompt({ ids }: MadePrompt, echoed: ArrayLike<number> | null): boolean {
  if (echoed === null) return true;
  if (echoed.length !== ids.length) return false;
  return wholePrompt(ids).every((id, at) => id === echoed[at]);
}
