import type { EngineSocket } from "./engine-socket.ts";

export interface OutboxOptions {
  readonly socket: EngineSocket;
  /** Table changes that may wait; one more, and `overflow` is called. */
  readonly maxChanges: number;
  /** Milliseconds that a push is held back before it is sent. */
  readonly delayMs: () => number;
  /** How often a push is sent. */
  readonly copies: () => number;
  readonly overflow: () => void;
}

interface Push {
  text: string;
  /** Of a price. */
  readonly symbol: string | null;
  /** When it may be sent, in the milliseconds of `performance.now()`. */
  readonly due: number;
}

/** Packets handed to Engine.IO while its transport is busy. */
const maxHandedOver = 256;
/** With this many pushes waiting, a new price replaces an older one of its symbol. */
const conflatedFrom = 1024;

/**
 * What waits for a connection, in the order in which it happened. Prices are conflated where the
 * connection is slow, table changes are never dropped: too many of them are the owner's business.
 *
 * Where something waits that is not held back, Engine.IO has packets to send, and says `drain`
 * when it has handed them to the transport.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  #waiting: Push[] = [];
  #changes = 0;
  /** The newest price of each symbol that waits. */
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
    // Engine.IO says `drain` from within `write`.
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
