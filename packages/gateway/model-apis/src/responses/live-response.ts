import type { JsonObject } from "../json/json-object.ts";
import type { AnswerEnd, AnswerHead, AnswerPiece, LiveAnswer } from "../live-answer.ts";
import type { OverflowError } from "../overflow.ts";
import { Said, type SaidPart } from "../said.ts";
import { typedEvent } from "../streams/event-text.ts";
import { type TypedEvent, writeItem } from "./item-events.ts";
import { writeResponseAnswer } from "./response-answer.ts";
import { type ItemWriter, itemWriter } from "./response-items.ts";
import { begunResponse } from "./response-stream.ts";

/** A response of OpenAI's API. */
export class LiveResponse implements LiveAnswer {
  readonly #head: AnswerHead;
  readonly #writeItem: ItemWriter;
  readonly #said = new Said();
  #number = 0;
  #end: AnswerEnd | null = null;

  constructor(head: AnswerHead) {
    this.#head = head;
    this.#writeItem = itemWriter(head.request_id, head.request);
  }

  begin(): string {
    const response = begunResponse(this.whole());
    return this.#write([
      ["response.created", { response }],
      ["response.in_progress", { response }],
    ]);
  }

  piece(piece: AnswerPiece): string {
    const added = this.#said.add(piece);
    if (added === null) return "";
    const { part, index, begins } = added;
    const opened = begins ? this.#close(index - 1) + this.#events(part, index, "added") : "";
    if (piece.kind === "tool_call") return opened;
    const { text } = piece;
    const said: SaidPart =
      part.kind === "tool_call" ? { ...part, arguments: text } : { ...part, text };
    // A custom tool's text is inside the model's JSON: it is sent when that is whole.
    return opened + (this.#isCustom(part, index) ? "" : this.#events(said, index, "delta"));
  }

  end(end: AnswerEnd): string {
    // A model that ends its turn at once has said an empty text: without any item it would seem to have failed.
    const isEmpty = this.#said.parts.length === 0;
    const nothing = isEmpty ? this.piece({ kind: "text", text: "" }) : "";
    const closed = nothing + this.#close(this.#said.parts.length - 1);
    this.#end = end;
    const response = this.whole();
    return closed + this.#write([[`response.${String(response.status)}`, { response }]]);
  }

  /** All events of a response that fails before it has said anything. */
  fail({ code, message }: OverflowError): string {
    const begun = this.begin();
    const failed = { status: "failed", error: { code, message } };
    const response = { ...begunResponse(this.whole()), ...failed };
    return begun + this.#write([["response.failed", { response }]]);
  }

  whole(): JsonObject {
    return writeResponseAnswer(this.#said.answer(this.#head, this.#end), this.#head.request);
  }

  #isCustom(part: SaidPart, index: number): boolean {
    return this.#writeItem(part, index, "")?.type === "custom_tool_call";
  }

  /** Ends the item of a part. */
  #close(index: number): string {
    const part = this.#said.parts[index];
    if (part === undefined) return "";
    const deltas = this.#isCustom(part, index) ? this.#events(part, index, "delta") : "";
    return deltas + this.#events(part, index, "done");
  }

  /** Those of an item's events that open it, that say its text, or that close it. */
  #events(part: SaidPart, index: number, what: "added" | "delta" | "done"): string {
    const item = this.#writeItem(part, index, "completed") ?? {};
    const cut = (text: string): string[] => (text === "" ? [] : [text]);
    const events = writeItem(item, index, { cut });
    return this.#write(events.filter(([type]) => type.endsWith(`.${what}`)));
  }

  #write(events: readonly TypedEvent[]): string {
    return events
      .map(([type, members]) => {
        const sequence_number = this.#number;
        this.#number += 1;
        return typedEvent(type, { ...members, sequence_number });
      })
      .join("");
  }
}
