import type { EngineSocket } from "./engine-socket.ts";

export interface OutboxOptions {
  readonly socket: EngineSocket;
  /** Most queued table changes; one more calls `overflow`. */
  readonly maxChanges: number;
  /** Milliseconds to hold back a push. */
  readonly delayMs: () => number;
  /** Number of times to send a push. */
  readonly copies: () => number;
  readonly overflow: () => void;
}

interface Push {
  text: string;
  /** The symbol of a price; null: a table change. */
  readonly symbol: string | null;
  /** When it may be sent, in milliseconds of `performance.now()`. */
  readonly due: number;
}

/** Most packets handed to Engine.IO while its transport is busy. */
const maxHandedOver = 256;
/** From this many queued pushes on, a new price replaces an older one of its symbol. */
const conflatedFrom = 1024;

/**
 * The queue of a connection's pushes, in order. Prices are conflated if the connection is slow. Table changes are
 * never dropped; too many of them are reported to the owner.
 *
 * Invariant: while a push is queued that is due, Engine.IO has packets to send, and will emit `drain` once it has
 * handed them to the transport.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  #waiting: Push[] = [];
  #changes = 0;
  /** The newest queued price of each symbol. */
  readonly #prices = new Map<string, Push>();
  #timer: NodeJS.Timeout | undefined;
  #isPumping = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    options.socket.on("drain", () => this.#pump());
    options.socket.on("close", () => this.#clear());
  }

  price(symbol: string, text: string): void {
    const waiting = this.#prices.get(symbol);
    if (waiting !== undefined && this.#waiting.length >= conflatedFrom) waiting.text = text;
    else this.#push(symbol, text);
  }

  /** Whether the transport has taken everything. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#options.socket.writeBuffer.length === 0;
  }

  change(text: string): void {
    this.#push(null, text);
    if (this.#changes <= this.#options.maxChanges) return;
    this.#clear();
    this.#options.overflow();
  }

  #push(symbol: string | null, text: string): void {
    const delay = this.#options.delayMs();
    const due = delay > 0 ? performance.now() + delay : 0;
    for (let copies = this.#options.copies(); copies > 0; copies -= 1) {
      const push = { text, symbol, due };
      this.#waiting.push(push);
      if (symbol === null) this.#changes += 1;
      else this.#prices.set(symbol, push);
    }
    this.#pump();
  }

  #pump(): void {
    // Engine.IO emits `drain` from within `write`.
    if (this.#isPumping) return;
    this.#isPumping = true;
    const { socket } = this.#options;
    let sent = 0;
    for (const push of this.#waiting) {
      if (socket.writeBuffer.length >= maxHandedOver) break;
      if (push.due > 0 && this.#holdBack(push.due)) break;
      socket.write(push.text);
      sent += 1;
      if (push.symbol === null) this.#changes -= 1;
      else if (this.#prices.get(push.symbol) === push) this.#prices.delete(push.symbol);
    }
    if (sent === this.#waiting.length) this.#waiting = [];
    else this.#waiting.splice(0, sent);
    this.#isPumping = false;
  }

  #holdBack(due: number): boolean {
    const left = due - performance.now();
    if (left <= 0) return false;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#pump();
    }, left);
    return true;
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
    this.#changes = 0;
    this.#prices.clear();
  }
}
