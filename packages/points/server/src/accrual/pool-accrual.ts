import type { Activity } from "./activity.ts";
import { type ExactSum, multiple, nothing, quotient, sum } from "./exact-sum.ts";
import type { Promotion } from "./promotion.ts";

/** The state of a position from some time on. */
export interface PositionState {
  readonly position: string;
  /** The number of the owner's account. */
  readonly owner: number;
  /** 0: the position is closed. */
  readonly liquidity: bigint;
}

interface Position {
  readonly owner: number;
  readonly liquidity: bigint;
  /** What a unit of liquidity had earned when this position's earnings were last added to its owner's. */
  since: ExactSum;
}

/**
 * Shares a pool's points among its positions, by liquidity. As in staking contracts, the earnings of a unit of
 * liquidity are summed once for the pool; a position is only touched when it changes. While there is no
 * liquidity, nothing is earned. States must be applied in chronological order.
 */
export class PoolAccrual {
  readonly #promotion: Promotion;
  readonly #positions = new Map<string, Position>();
  #time: number;
  #liquidity = 0n;
  /** What a unit of liquidity has earned so far. */
  #perUnit: ExactSum = nothing;

  /** @param time Unix seconds: when it begins */
  constructor(promotion: Promotion, time: number) {
    this.#promotion = promotion;
    this.#time = time;
  }

  /** The open positions. */
  *positions(): Generator<PositionState> {
    for (const [position, { owner, liquidity }] of this.#positions) {
      yield { position, owner, liquidity };
    }
  }

  /** @param into gets what was earned until then */
  apply(time: number, state: PositionState, into: Activity): void {
    this.#advance(time);
    const position = this.#positions.get(state.position);
    if (position !== undefined) {
      this.#settle(position, into);
      this.#positions.delete(state.position);
      this.#liquidity -= position.liquidity;
    }
    if (state.liquidity > 0n) this.open(state);
  }

  /** Adds everything earned until `time`. */
  settle(time: number, into: Activity): void {
    this.#advance(time);
    for (const position of this.#positions.values()) this.#settle(position, into);
  }

  /** Adds a position that is not open yet. */
  open({ position, owner, liquidity }: PositionState): void {
    this.#liquidity += liquidity;
    this.#positions.set(position, { owner, liquidity, since: this.#perUnit });
  }

  #advance(time: number): void {
    if (this.#liquidity > 0n) {
      const points = this.#promotion.pointsBetween(this.#time, time);
      if (points > 0n) this.#perUnit = sum(this.#perUnit, quotient(points, this.#liquidity));
    }
    this.#time = time;
  }

  #settle(position: Position, into: Activity): void {
    const { owner, liquidity, since } = position;
    if (since === this.#perUnit) return;
    into.addEarned(owner, multiple(liquidity, since, this.#perUnit));
    position.since = this.#perUnit;
  }
}
