import { noTokens } from "../facts/token-counts.ts";
import { type JsonObject, objectsOf } from "../json/json-object.ts";
import type { AnswerEnd, AnswerHead, AnswerPiece, LiveAnswer } from "../live-answer.ts";
import { readAsked } from "../requests/asked.ts";
import { Said } from "../said.ts";
import { dataEvent } from "../streams/event-text.ts";
import { chatUsage, writeChatAnswer } from "./chat-answer.ts";

/** A chat completion. */
export class LiveChat implements LiveAnswer {
  readonly #head: AnswerHead;
  readonly #usageWanted: boolean;
  readonly #said = new Said();
  readonly #logprobs: unknown[] = [];
  #end: AnswerEnd | null = null;

  constructor(head: AnswerHead) {
    this.#head = head;
    this.#usageWanted = readAsked(head.request).usage;
  }

  begin(): string {
    return this.#chunk({ role: "assistant", content: null, refusal: null, annotations: [] });
  }

  piece(piece: AnswerPiece): string {
    if (this.#said.add(piece) === null) return "";
    if (piece.kind === "tool_call") {
      const { id, name, call: index } = piece;
      const begun = { index, id, type: "function", function: { name, arguments: "" } };
      return this.#chunk({ tool_calls: [begun] });
    }
    const { kind, text } = piece;
    if (kind === "arguments") {
      const given = { index: piece.call, function: { arguments: text } };
      return text === "" ? "" : this.#chunk({ tool_calls: [given] });
    }
    const { logprobs = null } = piece;
    if (Array.isArray(logprobs?.content)) this.#logprobs.push(...logprobs.content);
    const delta = kind === "text" ? { content: text } : { reasoning_content: text };
    return this.#chunk(delta, null, logprobs);
  }

  end(end: AnswerEnd): string {
    this.#end = end;
    // A model that ends its turn at once has said an empty text.
    const isEmpty = this.#said.parts.length === 0;
    const nothing = isEmpty ? this.piece({ kind: "text", text: "" }) : "";
    const usage = chatUsage({ ...noTokens, ...end.usage });
    const counted = this.#usageWanted ? dataEvent({ ...this.#members(), choices: [], usage }) : "";
    return `${nothing}${this.#chunk({}, end.finish)}${counted}data: [DONE]\n\n`;
  }

  whole(): JsonObject {
    const answer = writeChatAnswer(this.#said.answer(this.#head, this.#end));
    if (this.#logprobs.length === 0) return answer;
    const logprobs = { content: this.#logprobs, refusal: null };
    return {
      ...answer,
      choices: objectsOf(answer.choices).map((choice) => ({ ...choice, logprobs })),
    };
  }

  #members(): JsonObject {
    const { request_id, created, model } = this.#head;
    return { id: `chatcmpl-${request_id}`, object: "chat.completion.chunk", created, model };
  }

  #chunk(
    delta: JsonObject,
    finish_reason: string | null = null,
    logprobs: JsonObject | null = null,
  ): string {
    const usage = this.#usageWanted ? { usage: null } : {};
    const choices = [{ index: 0, delta, logprobs, finish_reason }];
    return dataEvent({ ...this.#members(), choices, ...usage });
  }
}
