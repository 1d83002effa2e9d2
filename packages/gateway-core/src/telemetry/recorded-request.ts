import { createHash, type Hash, hash } from "node:crypto";
import type { StepRow } from "@proj/session-store";
import { asBuffer } from "../json/byte-splice.ts";
import type { Endpoint } from "../pipeline/call.ts";
import type { History, HistoryBase } from "./histories.ts";
import { redact } from "./redact.ts";
import { canGoOn, type RequestBody, readRequestBody, sharedEnd } from "./request-body.ts";

const placeholder = Buffer.from("null");
/** A smaller body costs less to store whole than to compare. */
const smallestHistory = 8 * 1024;
/** A chain is not longer, so that reading a row stays quick. */
const longestChain = 64;

/** The payload columns of a row that a request fills. */
type RequestColumns = Pick<StepRow, "request" | "messages" | "history">;

/** A request's body as rows and the request log keep it: redacted, and split into its columns. */
export class RecordedRequest {
  readonly #endpoint: Endpoint;
  /** What the body goes on from; null: nothing that is known. */
  readonly former: History | null;
  readonly #base: HistoryBase | null;
  readonly #body: RequestBody;
  readonly #isRedacted: boolean;
  #redacted: RequestBody | null = null;
  #digest: Hash | null = null;

  /**
   * @param former a history that the body was read on from
   * @param nearest where there is none: another one with most of the body in common
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
  }

  get bytes(): Buffer {
    return this.#recorded.bytes;
  }

  /** The row's columns: of a body that has its beginning in common with a stored one, what is new. */
  get columns(): RequestColumns {
    if (this.#base === null) return this.#wholeColumns;
    const { history, shared } = this.#base;
    const { bytes, messages_start, messages_end } = this.#body;
    const end = Math.min(shared, messages_end, history.body.messages_end);
    return {
      request: this.#hasRestOf(history.body) ? null : this.#rest,
      messages: bytes.subarray(end, messages_end),
      history: { messages_base: history.row_id, messages_shared: end - messages_start },
    };
  }

  /** SHA-256 of the body as it came, in hexadecimal. */
  sha256(): string {
    const { bytes } = this.#body;
    if (!this.#canBeHistory) return hash("sha256", bytes, "hex");
    const start = this.former === null ? 0 : sharedEnd(this.former.body);
    const end = sharedEnd(this.#body);
    const digest = this.former?.digest.copy() ?? createHash("sha256");
    digest.update(bytes.subarray(start, end));
    this.#digest = digest.copy();
    return digest.update(bytes.subarray(end)).digest("hex");
  }

  /** What the next body may go on from, once the row is stored; null: nothing. After `sha256`. */
  historyOf(row_id: number, row: StepRow): History | null {
    const digest = this.#digest;
    if (digest === null || row.messages === null) return null;
    const links = row.history === null || this.#base === null ? 0 : this.#base.history.links + 1;
    return { body: compact(this.#body), endpoint: this.#endpoint, row_id, links, digest };
  }

  #canBeBase({ history, shared }: HistoryBase): boolean {
    const { model, messages_start } = this.#body;
    const { body, links } = history;
    // Stored bodies were not redacted, and this one would be where both are the same.
    if (this.#isRedacted || links + 1 >= longestChain || body.model !== model) return false;
    return shared > messages_start && body.messages_start === messages_start && messages_start > 0;
  }

  get #canBeHistory(): boolean {
    const body = this.#body;
    return body.bytes.length >= smallestHistory && !this.#isRedacted && canGoOn(body);
  }

  get #wholeColumns(): RequestColumns {
    const { bytes, messages_start, messages_end } = this.#recorded;
    return {
      request: this.#rest,
      // The bytes of `messages` or `input` as they came; null where the request has none.
      messages: messages_end === 0 ? null : bytes.subarray(messages_start, messages_end),
      history: null,
    };
  }

  /** The body with `null` in the place of the messages. */
  get #rest(): Uint8Array {
    const { bytes, messages_start, messages_end } = this.#recorded;
    if (messages_end === 0) return bytes;
    return Buffer.concat([
      bytes.subarray(0, messages_start),
      placeholder,
      bytes.subarray(messages_end),
    ]);
  }

  /** Whether all behind the messages is the same; what stands before them is. */
  #hasRestOf({ bytes, messages_end }: RequestBody): boolean {
    const own = this.#body;
    if (bytes.length - messages_end !== own.bytes.length - own.messages_end) return false;
    return own.bytes.compare(bytes, messages_end, bytes.length, own.messages_end) === 0;
  }

  get #recorded(): RequestBody {
    if (!this.#isRedacted) return this.#body;
    if (this.#redacted === null) {
      const bytes = asBuffer(redact(this.#body.bytes));
      this.#redacted = readRequestBody(bytes, this.#endpoint);
    }
    return this.#redacted;
  }
}

/** A body that came in one piece may be a small part of a large buffer, which it would keep. */
function compact(body: RequestBody): RequestBody {
  const { bytes } = body;
  if (bytes.buffer.byteLength <= 2 * bytes.length) return body;
  return { ...body, bytes: Buffer.from(bytes) };
}
