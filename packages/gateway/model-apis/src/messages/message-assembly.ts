import { isJsonObject, type JsonObject, objectOf } from "../json/json-object.ts";
import { AssembledObject } from "../streams/assembled-object.ts";
import { CaptureBudget } from "../streams/capture-budget.ts";
import { messageRules } from "./message-form.ts";
import { servingModel } from "./serving-model.ts";

/** Builds from a stream's events the message that the request would have returned without `stream`. */
export class MessageAssembly {
  readonly #budget: CaptureBudget;
  readonly #message: AssembledObject;
  #came = false;

  constructor(maxBytes: number) {
    this.#budget = new CaptureBudget(maxBytes);
    this.#message = new AssembledObject(messageRules, this.#budget);
  }

  /** Something was left out for lack of room. */
  get truncated(): boolean {
    return this.#budget.exceeded;
  }

  add(event: JsonObject, eventBytes: number): void {
    const piece = messagePiece(event);
    if (piece === null) return;
    this.#came = true;
    const model = servingModel(event);
    // Some servers give two blocks one index: the beginning of a block is never a piece of another.
    const begins = event.type === "content_block_start";
    this.#message.add(model === null ? piece : { ...piece, model }, eventBytes, begins);
  }

  /** The message so far as JSON in UTF-8; null if nothing came. */
  text(): Uint8Array | null {
    return this.#came ? Buffer.from(this.#message.json()) : null;
  }
}

/** What an event adds to the message, in the message's own form; null if nothing. */
function messagePiece({
  type,
  message,
  index,
  content_block,
  delta,
  usage,
  ...others
}: JsonObject): JsonObject | null {
  switch (type) {
    case "message_start":
      return isJsonObject(message) ? { ...message, content: withPositions(message.content) } : null;
    case "content_block_start":
      return isJsonObject(content_block) ? { content: [{ ...content_block, index }] } : null;
    case "content_block_delta":
      return isJsonObject(delta) ? { content: [{ ...blockPiece(delta), index }] } : null;
    case "message_delta":
      // Beside the delta are members of the whole message, such as `context_management`.
      return {
        ...others,
        ...objectOf(delta),
        ...(isJsonObject(usage) ? { usage } : {}),
      };
    default:
      return null;
  }
}

/** What a delta adds to its block; the type is the block's own, not the delta's. */
function blockPiece({ type, ...members }: JsonObject): JsonObject {
  if (type === "input_json_delta") return { input: members.partial_json };
  if (type === "citations_delta") return { citations: [members.citation] };
  return members;
}

function withPositions(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((block, index) => (isJsonObject(block) ? { ...block, index } : block));
}
