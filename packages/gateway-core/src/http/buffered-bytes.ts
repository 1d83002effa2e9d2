import { GatewayError } from "../gateway-error.ts";

/** How much of the memory for bodies one call holds. */
export interface BufferedBytesLease {
  /** Holds more; never refuses, as what is withheld of an answer is there already. */
  grow(bytes: number): void;
  /** Gives everything back, once. */
  release(): void;
}

/** The bytes of bodies that are in memory at once, over all calls. */
export class BufferedBytes {
  readonly #limit: number;
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  /** @throws GatewayError overloaded */
  checkRoom(bytes: number): void {
    if (this.#used === 0 || this.#used + bytes <= this.#limit) return;
    throw new GatewayError("overloaded", "Too many request bodies are in memory. Try again.", {
      retryAfterMs: 1_000,
    });
  }

  lease(): BufferedBytesLease {
    let held = 0;
    return {
      grow: (bytes) => {
        held += bytes;
        this.#used += bytes;
      },
      release: () => {
        this.#used -= held;
        held = 0;
      },
    };
  }
}
