/** Smaller bodies are left to V8, which frees them for less than it costs to hand memory back by itself. */
const minBytes = 16 * 1024;

/**
 * The memory of a request's body, freed as soon as its last user is done. V8 frees what nothing refers to, too, but
 * runs a full collection to find memory outside its heap: with bodies of 1 MB, one for every few dozen requests.
 */
export class BodyMemory {
  /** In bytes. */
  readonly size: number;
  readonly #bytes: Buffer;
  /** The call itself. */
  #users = 1;

  constructor(bytes: Buffer) {
    this.size = bytes.length;
    this.#bytes = bytes;
  }

  /** One more user, until it calls `release`. One that cannot know when it is done never does: V8 frees it then. */
  hold(): void {
    this.#users += 1;
  }

  release(): void {
    this.#users -= 1;
    if (this.#users === 0 && this.size >= minBytes) freeBytes(this.#bytes);
  }
}

/** Frees bytes that have memory to themselves; they are empty afterwards. Others are left as they are. */
export function freeBytes({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}
