import { GatewayError } from "../errors/gateway-error.ts";

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

/** One call's share of the memory for bodies. */
export interface BufferedBytesLease {
  /** Counts more bytes; never refuses, because withheld bytes of an answer are in memory already. */
  grow(bytes: number): void;
  /** Gives everything back, once. */
  release(): void;
}

/** The bytes of bodies in memory at once, over all calls or over those of one session. */
export class BufferedBytes {
  readonly #limit: number;
  readonly #all: BufferedBytes | null;
  #used = 0;

  /** @param all the bytes that these are a share of */
  constructor(limit: number, all: BufferedBytes | null = null) {
    this.#limit = limit;
    this.#all = all;
  }

  get used(): number {
    return this.#used;
  }

  /** Whether more may come, in all and of the session. */
  get hasRoom(): boolean {
    return this.#used < this.#limit && this.#all?.hasRoom !== false;
  }

  /** @throws GatewayError overloaded; rate_limited when a session's share is used up */
  checkRoom(bytes: number): void {
    if (this.#used > 0 && this.#used + bytes > this.#limit) throw tooMuch(this.#all !== null);
    this.#all?.checkRoom(bytes);
  }

  lease(): BufferedBytesLease {
    let held = 0;
    return {
      grow: (bytes) => {
        held += bytes;
        this.#add(bytes);
      },
      release: () => {
        this.#add(-held);
        held = 0;
      },
    };
  }

  #add(bytes: number): void {
    this.#used += bytes;
    if (this.#all !== null) this.#all.#add(bytes);
  }
}

function tooMuch(isShare: boolean): GatewayError {
  const options = { retryAfterMs: 1_000 };
  if (isShare)
    return new GatewayError(
      "rate_limited",
      "Too many bytes of this session's requests are in memory. Try again.",
      options,
    );
  return new GatewayError(
    "overloaded",
    "Too many request bodies are in memory. Try again.",
    options,
  );
}
