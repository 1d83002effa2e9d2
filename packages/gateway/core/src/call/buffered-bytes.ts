import { GatewayError } from "../errors/gateway-error.ts";

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
