import { parseJson, writeJson } from "../json/exact-json.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { AssembledEntries } from "../streams/assembled-object.ts";
import { objectRules } from "../streams/assembly-rules.ts";
import { CaptureBudget } from "../streams/capture-budget.ts";
import { isItemEvent, itemPiece } from "./response-pieces.ts";

const partRules = objectRules("last", {
  index: "omitted",
  text: "text",
  refusal: "text",
  logprobs: "list",
  annotations: "list",
});

const itemRules = objectRules("last", {
  index: "omitted",
  id: "first",
  content: { entries: partRules },
  summary: { entries: partRules },
  arguments: "text",
  input: "text",
  code: "text",
});

/**
 * Builds the response of a stream from the events about its items, for one whose terminal event never came or leaves
 * them out.
 */
export class ResponseAssembly {
  readonly maxBytes: number;
  readonly #budget: CaptureBudget;
  readonly #items: AssembledEntries;
  /** The response as created, without output. */
  #created: Buffer | null = null;
  #came = false;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
    this.#budget = new CaptureBudget(maxBytes);
    this.#items = new AssembledEntries(itemRules, null, this.#budget);
    this.#items.add([], 0, false);
  }

  /** Something was left out for lack of room. */
  get truncated(): boolean {
    return this.#budget.exceeded;
  }

  add(type: string, data: Buffer): void {
    if (!isItemEvent(type)) return;
    const event = parseJson(data.toString());
    const piece = isJsonObject(event) ? itemPiece(type, event) : null;
    if (piece === null) return;
    this.#came = true;
    this.#items.add([piece], data.length, type.endsWith(".done"));
  }

  /** Takes the response from one of its life-cycle events. */
  addResponse(response: Buffer): void {
    if (this.#created !== null || !this.#budget.grow(response.length)) return;
    this.#created = Buffer.from(response);
  }

  /**
   * The response so far as JSON in UTF-8; null if nothing came.
   * @param response its members but the output
   */
  text(response: Buffer | null = this.#created): Uint8Array | null {
    if (!this.#came && response === null) return null;
    const parsed = response === null ? null : parseJson(response.toString());
    const created: JsonObject = isJsonObject(parsed) ? parsed : { object: "response" };
    const members = Object.keys(created)
      .filter((key) => key !== "output")
      .map((key) => `${writeJson(key)}:${writeJson(created[key])},`);
    return Buffer.from(`{${members.join("")}"output":${this.#items.json()}}`);
  }
}
