import type { JsonObject } from "../json/json-object.ts";
import type { AnswerEnd, AnswerHead, AnswerPiece, LiveAnswer } from "../live-answer.ts";
import { typedEvent } from "../streams/event-text.ts";
import { echoRequest } from "./echo-request.ts";
import { flatTools, type NamespacedTool, namespacedTools } from "./namespaces.ts";

interface Item {
  readonly id: string;
  readonly type: "reasoning" | "message" | "function_call" | "custom_tool_call";
  readonly call: number | null;
  readonly call_id: string;
  readonly name: string;
  text: string;
}

/** A response of OpenAI's API. */
export class LiveResponse implements LiveAnswer {
  readonly #head: AnswerHead;
  readonly #customTools: ReadonlySet<unknown>;
  readonly #namespaced: ReadonlyMap<string, NamespacedTool>;
  readonly #encryptsReasoning: boolean;
  readonly #items: Item[] = [];
  #number = 0;
  #end: AnswerEnd | null = null;

  constructor(head: AnswerHead) {
    this.#head = head;
    const { tools, include } = head.request;
    this.#customTools = new Set(
      flatTools(tools).flatMap((tool) => (isCustom(tool) ? [tool.name] : [])),
    );
    this.#namespaced = namespacedTools(tools);
    this.#encryptsReasoning = listOf(include).includes("reasoning.encrypted_content");
  }

  begin(): string {
    const response = this.#response("in_progress", []);
    return (
      this.#event("response.created", { response }) +
      this.#event("response.in_progress", { response })
    );
  }

  piece(piece: AnswerPiece): string {
    if (piece.kind === "tool_call") return this.#open(this.#callItem(piece));
    if (piece.kind === "arguments") {
      const at = this.#items.findLastIndex(({ call }) => call === piece.call);
      return this.#add(at, piece.text);
    }
    const type = piece.kind === "text" ? "message" : "reasoning";
    const opened = this.#items.at(-1)?.type === type ? "" : this.#open(this.#textItem(type));
    return opened + this.#add(this.#items.length - 1, piece.text);
  }

  end(end: AnswerEnd): string {
    // A model that ends its turn at once has said an empty text: without any item it would seem to have failed.
    const nothing = this.#items.length === 0 ? this.#open(this.#textItem("message")) : "";
    const closed = nothing + this.#close();
    this.#end = end;
    const response = this.whole();
    return closed + this.#event(`response.${String(response.status)}`, { response });
  }

  whole(): JsonObject {
    const end = this.#end;
    if (end === null) return this.#response("in_progress", []);
    const { prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens } = end.usage;
    const reason = incompleteReasons[end.finish];
    const status = reason === null ? "completed" : "incomplete";
    return {
      ...this.#response(
        status,
        this.#items.map((item) => this.#whole(item, status)),
      ),
      incomplete_details: reason === null ? null : { reason },
      usage: {
        input_tokens: prompt_tokens,
        input_tokens_details: { cached_tokens },
        output_tokens: completion_tokens,
        output_tokens_details: { reasoning_tokens },
        total_tokens: prompt_tokens + completion_tokens,
      },
    };
  }

  #response(status: string, output: readonly JsonObject[]): JsonObject {
    const { request_id, model, created, request } = this.#head;
    return {
      id: `resp_${request_id}`,
      object: "response",
      created_at: created,
      status,
      error: null,
      incomplete_details: null,
      model,
      output,
      ...echoRequest(request),
      usage: null,
    };
  }

  #textItem(type: "reasoning" | "message"): Item {
    const prefix = type === "message" ? "msg" : "rs";
    return { id: this.#itemId(prefix), type, call: null, call_id: "", name: "", text: "" };
  }

  #callItem({ call, id: call_id, name }: AnswerPiece & { kind: "tool_call" }): Item {
    const isCustomTool = this.#customTools.has(name);
    const id = this.#itemId(isCustomTool ? "ctc" : "fc");
    const type = isCustomTool ? "custom_tool_call" : "function_call";
    return { id, type, call, call_id, name, text: "" };
  }

  #itemId = (prefix: string): string => `${prefix}_${this.#head.request_id}_${this.#items.length}`;

  #open(item: Item): string {
    const closed = this.#close();
    this.#items.push(item);
    const output_index = this.#items.length - 1;
    const added = this.#event("response.output_item.added", {
      output_index,
      item: this.#whole(item, "in_progress"),
    });
    if (!hasParts(item)) return closed + added;
    const place = { item_id: item.id, output_index, content_index: 0 };
    return (
      closed + added + this.#event("response.content_part.added", { ...place, part: partOf(item) })
    );
  }

  #add(output_index: number, text: string): string {
    const item = this.#items[output_index];
    if (item === undefined || text === "") return "";
    item.text += text;
    // A custom tool's text is inside the model's JSON: it is sent when that is whole.
    if (item.type === "custom_tool_call") return "";
    const place = { item_id: item.id, output_index };
    if (!hasParts(item))
      return this.#event("response.function_call_arguments.delta", { ...place, delta: text });
    const logprobs = item.type === "message" ? { logprobs: [] } : {};
    return this.#event(`${textEvents[item.type]}.delta`, {
      ...place,
      content_index: 0,
      delta: text,
      ...logprobs,
    });
  }

  /** Closes the item that is open. */
  #close(): string {
    const output_index = this.#items.length - 1;
    const item = this.#items[output_index];
    if (item === undefined) return "";
    const place = { item_id: item.id, output_index };
    const whole = this.#whole(item, "completed");
    const done = this.#event("response.output_item.done", { output_index, item: whole });
    if (item.type === "custom_tool_call") {
      const { input } = whole;
      const delta = this.#event("response.custom_tool_call_input.delta", {
        ...place,
        delta: input,
      });
      return (
        delta + this.#event("response.custom_tool_call_input.done", { ...place, input }) + done
      );
    }
    if (!hasParts(item))
      return (
        this.#event("response.function_call_arguments.done", {
          ...place,
          name: whole.name,
          arguments: item.text,
        }) + done
      );
    const at = { ...place, content_index: 0 };
    const logprobs = item.type === "message" ? { logprobs: [] } : {};
    return [
      this.#event(`${textEvents[item.type]}.done`, { ...at, text: item.text, ...logprobs }),
      this.#event("response.content_part.done", { ...at, part: partOf(item) }),
      done,
    ].join("");
  }

  #whole(item: Item, status: string): JsonObject {
    const { id, type, call_id, name, text } = item;
    const called = this.#namespaced.get(name) ?? { name };
    if (type === "function_call") return { id, type, status, arguments: text, call_id, ...called };
    if (type === "custom_tool_call")
      return { id, type, status, call_id, ...called, input: customInput(text) };
    const content = status === "in_progress" ? [] : [partOf(item)];
    if (type === "message") return { id, type, status, role: "assistant", content };
    const encrypted_content = Buffer.from(text).toString("base64");
    return {
      id,
      type,
      summary: [],
      content,
      ...(this.#encryptsReasoning ? { encrypted_content } : {}),
    };
  }

  #event(type: string, members: JsonObject): string {
    const sequence_number = this.#number;
    this.#number += 1;
    return typedEvent(type, { ...members, sequence_number });
  }
}

const textEvents = {
  message: "response.output_text",
  reasoning: "response.reasoning_text",
} as const;

const incompleteReasons = {
  stop: null,
  tool_calls: null,
  length: "max_output_tokens",
  content_filter: "content_filter",
} as const;

const hasParts = (item: Item): item is Item & { type: "reasoning" | "message" } =>
  item.type === "message" || item.type === "reasoning";

const partOf = ({ type, text }: Item): JsonObject =>
  type === "message"
    ? { type: "output_text", text, annotations: [], logprobs: [] }
    : { type: "reasoning_text", text };

/** A custom tool is a function with one text for the engine. */
function customInput(text: string): string {
  try {
    const { input } = JSON.parse(text);
    return typeof input === "string" ? input : text;
  } catch {
    return text;
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isCustom = (tool: unknown): tool is { readonly name: unknown } =>
  typeof tool === "object" && tool !== null && Reflect.get(tool, "type") === "custom";
