import { type ExactSum, quotient } from "./exact-sum.ts";
import type { Promotion } from "./promotion.ts";

/** What a position is from a time on. */
export interface PositionState {
  readonly position: string;
  readonly address: string;
  /** 0: it is closed. */
  readonly liquidity: bigint;
}

/** Whoever has or had a position. */
export interface Holder extends ExactSum {
  readonly address: string;
  openPositions: number;
}

interface Position {
  readonly holder: Holder;
  readonly liquidity: bigint;
  /** What a unit of liquidity had earned when this was last added to the holder's sum. */
  since: Accumulated;
}

/** What a unit of liquidity has earned, and how many roundings that took. */
interface Accumulated {
  readonly units: bigint;
  readonly roundings: bigint;
}

const nothing: Accumulated = { units: 0n, roundings: 0n };

/**
 * Shares a pool's points among its positions, by their liquidity. As in staking contracts, what a unit
 * of liquidity earns is summed up once for the pool; a position is only looked at when it changes.
 * While nobody provides liquidity nobody earns. States must come in the order of their times.
 */
export class PoolAccrual {
  readonly #promotion: Promotion;
  readonly #positions = new Map<string, Position>();
  readonly #holders = new Map<string, Holder>();
  #time = 0;
  #liquidity = 0n;
  #accumulated = nothing;

  constructor(promotion: Promotion) {
    this.#promotion = promotion;
  }

  /** With what they have earned until the last `settle`. */
  holders(): Iterable<Holder> {
    return this.#holders.values();
  }

  /** The open ones. */
  *positions(): Iterable<PositionState> {
    for (const [position, { holder, liquidity }] of this.#positions) {
      yield { position, address: holder.address, liquidity };
    }
  }

  /** To go on from what another one had come to: its holders, then its positions, then the time. */
  restoreHolder(holder: Holder): void {
    this.#holders.set(holder.address, holder);
  }

  restorePosition(state: PositionState): void {
    this.#open(state);
  }

  restoreTime(time: number): void {
    this.#time = time;
  }

  apply(time: number, state: PositionState): void {
    this.#advance(time);
    const position = this.#positions.get(state.position);
    if (position !== undefined) {
      this.#settle(position);
      this.#positions.delete(state.position);
      this.#liquidity -= position.liquidity;
      position.holder.openPositions -= 1;
    }
    if (state.liquidity > 0n) this.#open(state);
  }

  /** Adds to the holders' sums what they have earned until `time`. */
  settle(time: number): void {
    this.#advance(time);
    for (const position of this.#positions.values()) this.#settle(position);
  }

  /** From now on sums are of what is earned from now on. */
  startSumsAnew(): void {
    for (const holder of this.#holders.values()) {
      holder.low = 0n;
      holder.error = 0n;
    }
  }

  #advance(time: number): void {
    if (this.#liquidity > 0n) {
      const points = this.#promotion.pointsBetween(this.#time, time);
      if (points > 0n) {
        const { units, isExact } = quotient(points, this.#liquidity);
        this.#accumulated = {
          units: this.#accumulated.units + units,
          roundings: this.#accumulated.roundings + (isExact ? 0n : 1n),
        };
      }
    }
    this.#time = time;
  }

  #open({ position, address, liquidity }: PositionState): void {
    let holder = this.#holders.get(address);
    if (holder === undefined) {
      holder = { address, low: 0n, error: 0n, openPositions: 0 };
      this.#holders.set(address, holder);
    }
    holder.openPositions += 1;
    this.#liquidity += liquidity;
    this.#positions.set(position, { holder, liquidity, since: this.#accumulated });
  }

  #settle(position: Position): void {
    const { holder, liquidity, since } = position;
    if (since === this.#accumulated) return;
    holder.low += liquidity * (this.#accumulated.units - since.units);
    holder.error += liquidity * (this.#accumulated.roundings - since.roundings);
    position.since = this.#accumulated;
  }
}
