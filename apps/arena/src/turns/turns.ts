/** A trader's turn, which lasts until it asks for the next one. */
export interface Turn {
  /** Starts at 1. */
  readonly round: number;
  readonly rounds: number;
}

export interface TurnsOptions {
  /** Names, in order of their turns. */
  readonly traders: readonly string[];
  readonly rounds: number;
  /** Longest turn, and longest wait for a trader to take its turn, in milliseconds. */
  readonly turnTimeoutMs: number;
  /** Every remaining trader has had its turn, so the market may move. */
  readonly onRoundOver: (round: number) => void;
  /** The trader ran out of time and gets no more turns. */
  readonly onLate?: (trader: string) => void;
}

/**
 * Gives traders their turns one after another, round by round. During a turn the market is frozen and the
 * others wait, so that the result does not depend on who is quicker.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #waiting = new Map<string, (turn: Turn | null) => void>();
  readonly #departed = new Set<string>();
  readonly #late: ReadonlyMap<string, AbortController>;
  readonly #over = Promise.withResolvers<void>();
  #round = 1;
  #place = 0;
  /** The current trader has asked for its turn. */
  #isTaken = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#late = new Map(options.traders.map((name) => [name, new AbortController()]));
  }

  /** Resolves when no turn is left. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  get rounds(): number {
    return this.#options.rounds;
  }

  /** The longest that `next` can wait, in milliseconds: each trader may be late to take its turn and to end it. */
  get maxWaitMs(): number {
    const { traders, turnTimeoutMs } = this.#options;
    return 2 * traders.length * turnTimeoutMs;
  }

  get isOver(): boolean {
    return this.#round > this.#options.rounds;
  }

  /** Aborted when the trader has taken too long. */
  late(trader: string): AbortSignal {
    return this.#late.get(trader)?.signal ?? AbortSignal.abort();
  }

  /** Starts the first trader's clock. */
  start(): void {
    this.#offer();
  }

  /** Whether it is this trader's turn and the trader has taken it. */
  has(trader: string): boolean {
    return this.#isTaken && this.#current === trader;
  }

  /**
   * Ends the trader's turn, if it has one, and waits for the next.
   * @returns null: there are no more
   * @throws Error it is already waiting
   */
  async next(trader: string, signal?: AbortSignal): Promise<Turn | null> {
    signal?.throwIfAborted();
    if (this.#waiting.has(trader)) throw new Error(`${trader} is already waiting for its turn`);
    const { promise, resolve, reject } = Promise.withResolvers<Turn | null>();
    if (this.isOver || this.#departed.has(trader)) return null;
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

  /** Takes the trader out: it gets no more turns. */
  leave(trader: string): void {
    if (this.#departed.has(trader) || this.isOver) return;
    const isCurrent = this.#current === trader;
    this.#departed.add(trader);
    this.#waiting.get(trader)?.(null);
    this.#waiting.delete(trader);
    if (this.#options.traders.every((name) => this.#departed.has(name))) this.#finish();
    else if (isCurrent) this.#pass();
  }

  /** Ends all turns. */
  end(): void {
    if (!this.isOver) this.#finish();
  }

  get #current(): string | undefined {
    return this.isOver ? undefined : this.#options.traders[this.#place];
  }

  /** Passes the turn to the next remaining trader, in the next round after the last one. */
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
    } while (this.#current !== undefined && this.#departed.has(this.#current));
    if (this.isOver) this.#finish();
    else this.#offer();
  }

  /** Gives the current trader its turn if it is waiting, else starts its clock. */
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
      this.#late.get(current)?.abort(new Error(`${current} took too long`));
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
