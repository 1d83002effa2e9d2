import { createHash, type Hash, hash } from "node:crypto";
import type { Endpoint } from "@proj/model-apis";
import {
  canGoOn,
  namesModel,
  type RequestBody,
  readRequestBody,
  sharedEnd,
} from "@proj/model-apis";
import { asBuffer, redact, redactBeginning } from "@proj/model-apis/json";
import type { StepRow } from "@proj/session-store";
import type { BodyMemory } from "../call/body-memory.ts";
import type { History, HistoryBase } from "./histories.ts";

const placeholder = Buffer.from("null");
/** A smaller body is cheaper to store whole than to compare. */
const minHistory = 8 * 1024;
/** Longest chain of rows, so that reading a row stays fast. */
const maxChain = 64;

/** The payload columns of a row that come from the request. */
type RequestColumns = Pick<StepRow, "request" | "messages" | "history">;

export interface RequestDigest {
  /** Digest of the body as it was received, in hexadecimal. */
  readonly sha256: string;
  /** Digest of the body up to the end of its last message; null if no other body may continue it. */
  readonly beginning: Hash | null;
}

/** A request's body as rows and the request log keep it: redacted, and split into columns. */
export class RecordedRequest {
  readonly #endpoint: Endpoint;
  /** The history that the body continues; null if none is known. */
  readonly former: History | null;
  readonly #base: HistoryBase | null;
  /** Everything after the messages is equal to what the base has there. */
  readonly #sharesRest: boolean;
  readonly #body: RequestBody;
  readonly #isRedacted: boolean;
  #redacted: RequestBody | null = null;

  /**
   * @param former the history that the body continues, from which its reading was continued too
   * @param nearest without a former: another history that shares most of the body
   */
  constructor(
    body: RequestBody,
    endpoint: Endpoint,
    redacts: boolean,
    former: History | null = null,
    nearest: HistoryBase | null = null,
  ) {
    this.#body = body;
    this.#endpoint = endpoint;
    this.#isRedacted = redacts && body.sensitive;
    this.former = former;
    const base = former === null ? nearest : { history: former, shared: sharedEnd(former.body) };
    this.#base = base !== null && this.#canBeBase(base) ? base : null;
    this.#sharesRest = this.#base !== null && haveSameRest(body, this.#base.history.body);
  }

  get bytes(): Buffer {
    return this.#recorded.bytes;
  }

  beginning(length: number): Buffer {
    if (!this.#isRedacted || this.#redacted !== null) return this.#recorded.bytes;
    return redactBeginning(this.#body.bytes, length);
  }

  /** The row's columns; if the body shares its beginning with a stored one, only what is new. */
  get columns(): RequestColumns {
    if (this.#base === null) return this.#wholeColumns;
    const { history, shared } = this.#base;
    const { bytes, messages_start, messages_end } = this.#body;
    const end = Math.min(shared, messages_end, history.body.messages_end);
    return {
      request: this.#sharesRest ? null : this.#rest,
      messages: bytes.subarray(end, messages_end),
      history: {
        messages_base: history.row_id,
        base_request_id: history.request_id,
        messages_shared: end - messages_start,
      },
    };
  }

  digest(): RequestDigest {
    const { bytes } = this.#body;
    if (!this.#canBeHistory) return { sha256: hash("sha256", bytes, "hex"), beginning: null };
    const start = this.former === null ? 0 : sharedEnd(this.former.body);
    const end = sharedEnd(this.#body);
    const digest = this.former?.digest.copy() ?? createHash("sha256");
    digest.update(bytes.subarray(start, end));
    const beginning = digest.copy();
    return { sha256: digest.update(bytes.subarray(end)).digest("hex"), beginning };
  }

  /** The history that the next body may continue once the row is stored; null if none. */
  historyOf(
    row_id: number,
    row: StepRow,
    { beginning }: RequestDigest,
    memory: BodyMemory,
  ): History | null {
    if (beginning === null || row.messages === null) return null;
    const links = row.history === null || this.#base === null ? 0 : this.#base.history.links + 1;
    return {
      body: this.#body,
      memory,
      endpoint: this.#endpoint,
      row_id,
      request_id: row.request_id,
      links,
      digest: beginning,
    };
  }

  #canBeBase({ history, shared }: HistoryBase): boolean {
    const { model, messages_start } = this.#body;
    const { body, links } = history;
    // Stored bodies were not redacted; this one would be, in the part that both share too.
    if (this.#isRedacted || links + 1 >= maxChain || body.model !== model) return false;
    return shared > messages_start && body.messages_start === messages_start && messages_start > 0;
  }

  get #canBeHistory(): boolean {
    const body = this.#body;
    return body.bytes.length >= minHistory && !this.#isRedacted && canGoOn(body);
  }

  get #wholeColumns(): RequestColumns {
    const { bytes, messages_start, messages_end } = this.#recorded;
    return {
      request: this.#rest,
      // The bytes of `messages` or `input` as they came; null if the request has none.
      messages: messages_end === 0 ? null : bytes.subarray(messages_start, messages_end),
      history: null,
    };
  }

  /** The body with `null` in place of the messages. */
  get #rest(): Uint8Array {
    const { bytes, messages_start, messages_end } = this.#recorded;
    if (messages_end === 0) return bytes;
    return Buffer.concat([
      bytes.subarray(0, messages_start),
      placeholder,
      bytes.subarray(messages_end),
    ]);
  }

  get #recorded(): RequestBody {
    if (!this.#isRedacted) return this.#body;
    if (this.#redacted === null) {
      const bytes = asBuffer(redact(this.#body.bytes));
      const told = namesModel(this.#endpoint) ? this.#body : null;
      this.#redacted = readRequestBody(bytes, this.#endpoint.history, null, told);
    }
    return this.#redacted;
  }
}

/** Whether everything after the messages is equal. */
function haveSameRest(one: RequestBody, other: RequestBody): boolean {
  const { bytes, messages_end } = other;
  if (bytes.length - messages_end !== one.bytes.length - one.messages_end) return false;
  return one.bytes.compare(bytes, messages_end, bytes.length, one.messages_end) === 0;
}
