import {
  endpointsByName,
  InvalidRequest,
  type RequestBody,
  readRequestBody,
  rowOf,
  type WholeRow,
  wholeRequest,
} from "@proj/model-apis";

const { responses } = endpointsByName;
/** The latest answers of a connection, and how many characters they may have together. */
const maxAnswers = 64;
const maxCharacters = 16 * 1024 * 1024;

interface Remembered {
  readonly row: WholeRow;
  /** The answer that this one continues, and that is looked up elsewhere; null: the row is whole. */
  readonly previous: string | null;
  /** Gives back the memory that it is counted in. */
  readonly free: () => void;
}

/**
 * What a connection remembers by itself: requests that only prepared an answer, and, without a session, which has rows,
 * the answers too.
 */
export class RememberedAnswers {
  readonly #byId = new Map<string, Remembered>();
  readonly #hold: (bytes: number) => () => void;
  #characters = 0;

  /** @param hold counts bytes in memory, or throws if there is no room */
  constructor(hold: (bytes: number) => () => void) {
    this.#hold = hold;
  }

  /** The body with what the connection remembers in it. @throws InvalidRequest */
  resolve(bytes: Buffer): Buffer {
    const body = readRequestBody(bytes, responses.history);
    const reference = responses.readReference?.(body) ?? null;
    const found = reference?.id == null ? undefined : this.#byId.get(reference.id);
    if (reference === null || found === undefined) return bytes;
    const whole = wholeRequest("responses", body, reference.by, found.row);
    if (whole === null) throw new InvalidRequest("The response cannot be continued.", reference.by);
    if (found.previous === null) return whole.bytes;
    const member = `"previous_response_id":${JSON.stringify(found.previous)},`;
    const start = whole.bytes.indexOf("{") + 1;
    return Buffer.concat([
      whole.bytes.subarray(0, start),
      Buffer.from(member),
      whole.bytes.subarray(start),
    ]);
  }

  /**
   * @param response the answer's object, as JSON text
   * @throws GatewayError there is no room for it
   */
  remember(id: string, bytes: Buffer, response: string): void {
    const body: RequestBody = readRequestBody(bytes, responses.history);
    const previous = responses.readReference?.(body)?.id ?? null;
    const row = { ...rowOf(body, "responses", response), isPartial: false };
    this.#forget(id);
    this.#byId.set(id, { row, previous, free: this.#hold(sizeOf(row)) });
    this.#characters += sizeOf(row);
    for (const [oldest] of this.#byId) {
      if (this.#byId.size <= maxAnswers && this.#characters <= maxCharacters) break;
      this.#forget(oldest);
    }
  }

  clear(): void {
    for (const [id] of this.#byId) this.#forget(id);
  }

  #forget(id: string): void {
    const known = this.#byId.get(id);
    if (known === undefined) return;
    this.#byId.delete(id);
    this.#characters -= sizeOf(known.row);
    known.free();
  }
}

const sizeOf = ({ request, messages, response }: WholeRow): number =>
  (request?.length ?? 0) + (messages?.length ?? 0) + (response?.length ?? 0);
