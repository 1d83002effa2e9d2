/** A trader's turn: it may trade until it asks for the next one. */
export interface Turn {
  /** The first is 1. */
  readonly round: number;
  readonly rounds: number;
}

export interface TurnsOptions {
  /** Names, in the order in which they have their turns. */
  readonly traders: readonly string[];
  readonly rounds: number;
  /** How long a turn may last, and how long a trader whose turn it is may not come for it, in milliseconds. */
  readonly turnTimeoutMs: number;
  /** Everybody who is left has had a turn: the market moves. */
  readonly onRoundOver: (round: number) => void;
  /** Its time was up: it has no more turns. */
  readonly onLate?: (trader: string) => void;
}

/**
 * Turns of traders, one after another, round by round. While one of them has its turn, the market stands still and the
 * others wait, so that what happens does not depend on who is quicker.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #waiting = new Map<string, (turn: Turn | null) => void>();
  readonly #left = new Set<string>();
  readonly #over = Promise.withResolvers<void>();
  #round = 1;
  #place = 0;
  /** The trader at the place has come for its turn. */
  #isTaken = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Resolves when no turn is left. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  get rounds(): number {
    return this.#options.rounds;
  }

  get isOver(): boolean {
    return this.#round > this.#options.rounds;
  }

  /** The first trader's time begins. */
  start(): void {
    this.#offer();
  }

  /** Whether it is this trader's turn, and it has come for it. */
  has(trader: string): boolean {
    return this.#isTaken && this.#current === trader;
  }

  /**
   * Ends the trader's turn if it has it, and waits for its next one.
   * @returns null: there is none
   * @throws Error it waits already
   */
  async next(trader: string, signal?: AbortSignal): Promise<Turn | null> {
    signal?.throwIfAborted();
    if (this.#waiting.has(trader)) throw new Error(`${trader} waits for its turn already`);
    const { promise, resolve, reject } = Promise.withResolvers<Turn | null>();
    if (this.isOver || this.#left.has(trader)) return null;
    this.#waiting.set(trader, resolve);
    const giveUp = (): void => {
      this.#waiting.delete(trader);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", giveUp, { once: true });
    if (this.has(trader)) this.#pass();
    else this.#offer();
    return promise.finally(() => signal?.removeEventListener("abort", giveUp));
  }

  /** The trader has no more turns. */
  leave(trader: string): void {
    if (this.#left.has(trader) || this.isOver) return;
    const isCurrent = this.#current === trader;
    this.#left.add(trader);
    this.#waiting.get(trader)?.(null);
    this.#waiting.delete(trader);
    if (this.#options.traders.every((name) => this.#left.has(name))) this.#finish();
    else if (isCurrent) this.#pass();
  }

  /** Nobody has another turn. */
  end(): void {
    if (!this.isOver) this.#finish();
  }

  get #current(): string | undefined {
    return this.isOver ? undefined : this.#options.traders[this.#place];
  }

  /** The next trader that is left has its turn, in the next round where this was the last. */
  #pass(): void {
    const { traders, onRoundOver } = this.#options;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isTaken = false;
    do {
      this.#place += 1;
      if (this.#place < traders.length) continue;
      this.#place = 0;
      onRoundOver(this.#round);
      this.#round += 1;
    } while (this.#current !== undefined && this.#left.has(this.#current));
    if (this.isOver) this.#finish();
    else this.#offer();
  }

  /** Gives the turn to the trader whose it is, if it waits for it; else its time begins. */
  #offer(): void {
    const { rounds, turnTimeoutMs, onLate } = this.#options;
    const current = this.#current;
    if (current === undefined || this.#isTaken) return;
    const take = this.#waiting.get(current);
    if (take !== undefined) {
      this.#waiting.delete(current);
      this.#isTaken = true;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      take({ round: this.#round, rounds });
    }
    this.#timer ??= setTimeout(() => {
      onLate?.(current);
      this.leave(current);
    }, turnTimeoutMs);
  }

  #finish(): void {
    clearTimeout(this.#timer);
    this.#round = this.#options.rounds + 1;
    for (const take of this.#waiting.values()) take(null);
    this.#waiting.clear();
    this.#over.resolve();
  }
}
