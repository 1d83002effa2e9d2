import { asBuffer } from "../json/byte-splice.ts";
import type { Endpoint } from "../pipeline/call.ts";
import { redact } from "./redact.ts";
import { type RequestBody, readRequestBody } from "./request-body.ts";

const placeholder = Buffer.from("null");

/** A request's body as rows and the request log keep it: redacted, and split into its columns. */
export class RecordedRequest {
  readonly #endpoint: Endpoint;
  #body: RequestBody;
  #redacts: boolean;

  constructor(body: RequestBody, endpoint: Endpoint, redacts: boolean) {
    this.#body = body;
    this.#endpoint = endpoint;
    this.#redacts = redacts && body.sensitive;
  }

  get bytes(): Buffer {
    return this.#redacted().bytes;
  }

  /** The bytes of `messages` or `input` as they came; null where the request has none. */
  get messages(): Uint8Array | null {
    const { bytes, messages_start, messages_end } = this.#redacted();
    return messages_end === 0 ? null : bytes.subarray(messages_start, messages_end);
  }

  /** The rest of the body: all of it, with `null` in the place of the messages. */
  get request(): Uint8Array {
    const { bytes, messages_start, messages_end } = this.#redacted();
    if (messages_end === 0) return bytes;
    return Buffer.concat([
      bytes.subarray(0, messages_start),
      placeholder,
      bytes.subarray(messages_end),
    ]);
  }

  #redacted(): RequestBody {
    if (!this.#redacts) return this.#body;
    this.#redacts = false;
    const bytes = asBuffer(redact(this.#body.bytes));
    this.#body = readRequestBody(bytes, this.#endpoint);
    return this.#body;
  }
}
