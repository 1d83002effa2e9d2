import type { JsonObject } from "../json/json-object.ts";
import {
  type AnswerEnd,
  type AnswerHead,
  type AnswerPiece,
  type AnswerUsage,
  argumentsOf,
  type LiveAnswer,
} from "../live-answer.ts";
import { typedEvent } from "../streams/event-text.ts";

const stopReasons = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
} as const;

/** Anthropic's clients send a thinking block back only with a signature. */
const signature = "unsigned";

interface Block {
  readonly type: "thinking" | "text" | "tool_use";
  readonly call: number | null;
  readonly begin: JsonObject;
  text: string;
}

/** A message of Anthropic's API. */
export class LiveMessage implements LiveAnswer {
  readonly #head: AnswerHead;
  readonly #blocks: Block[] = [];
  #end: AnswerEnd | null = null;

  constructor(head: AnswerHead) {
    this.#head = head;
  }

  begin(): string {
    const usage = usageOf({ ...noUsage, prompt_tokens: this.#head.prompt_tokens });
    const message = { ...this.#members(), stop_reason: null, stop_sequence: null, usage };
    return typedEvent("message_start", { message });
  }

  piece(piece: AnswerPiece): string {
    if (piece.kind === "tool_call") {
      const { id, name, call } = piece;
      return this.#open({
        type: "tool_use",
        call,
        begin: { type: "tool_use", id, name, input: {} },
        text: "",
      });
    }
    if (piece.kind === "arguments") {
      const at = this.#blocks.findLastIndex(({ call }) => call === piece.call);
      return this.#add(at, piece.text, { type: "input_json_delta", partial_json: piece.text });
    }
    const { kind, text } = piece;
    const type = kind === "text" ? "text" : "thinking";
    const opened =
      this.#blocks.at(-1)?.type === type
        ? ""
        : this.#open({
            type,
            call: null,
            begin: type === "text" ? { type, text: "" } : { type, thinking: "", signature: "" },
            text: "",
          });
    const delta =
      type === "text" ? { type: "text_delta", text } : { type: "thinking_delta", thinking: text };
    return opened + this.#add(this.#blocks.length - 1, text, delta);
  }

  end(end: AnswerEnd): string {
    // A model that ends its turn at once has said an empty text: without any block it would seem to have failed.
    const nothing =
      this.#blocks.length === 0
        ? this.#open({ type: "text", call: null, begin: { type: "text", text: "" }, text: "" })
        : "";
    this.#end = end;
    const delta = { stop_reason: stopReasonOf(end), stop_sequence: end.stop_sequence };
    return [
      nothing,
      this.#close(),
      typedEvent("message_delta", { delta, usage: usageOf(end.usage) }),
      typedEvent("message_stop", {}),
    ].join("");
  }

  whole(): JsonObject {
    const end = this.#end;
    return {
      ...this.#members(),
      content: this.#blocks.map(wholeBlock),
      stop_reason: end === null ? null : stopReasonOf(end),
      stop_sequence: end?.stop_sequence ?? null,
      usage: usageOf(end?.usage ?? noUsage),
    };
  }

  #members(): JsonObject {
    const { request_id, model } = this.#head;
    return { id: `msg_${request_id}`, type: "message", role: "assistant", model, content: [] };
  }

  #open(block: Block): string {
    const closed = this.#close();
    this.#blocks.push(block);
    const index = this.#blocks.length - 1;
    return closed + typedEvent("content_block_start", { index, content_block: block.begin });
  }

  #add(index: number, text: string, delta: JsonObject): string {
    const block = this.#blocks[index];
    if (block === undefined || text === "") return "";
    block.text += text;
    return typedEvent("content_block_delta", { index, delta });
  }

  #close(): string {
    const index = this.#blocks.length - 1;
    const block = this.#blocks[index];
    if (block === undefined) return "";
    const signed =
      block.type === "thinking"
        ? typedEvent("content_block_delta", {
            index,
            delta: { type: "signature_delta", signature },
          })
        : "";
    return signed + typedEvent("content_block_stop", { index });
  }
}

const noUsage: AnswerUsage = {
  prompt_tokens: 0,
  cached_tokens: 0,
  completion_tokens: 0,
  reasoning_tokens: 0,
};

function wholeBlock({ type, begin, text }: Block): JsonObject {
  if (type === "text") return { ...begin, text };
  if (type === "thinking") return { ...begin, thinking: text, signature };
  return { ...begin, input: argumentsOf(text) };
}

function stopReasonOf({ finish, stop_sequence }: AnswerEnd): string {
  return stop_sequence === null ? stopReasons[finish] : "stop_sequence";
}

/** The three counts of a prompt exclude each other. */
function usageOf({ prompt_tokens, cached_tokens, completion_tokens }: AnswerUsage): JsonObject {
  return {
    input_tokens: prompt_tokens - cached_tokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached_tokens,
    output_tokens: completion_tokens,
  };
}
