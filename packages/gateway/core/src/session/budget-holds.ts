import type { Cancellation } from "../call/cancellation.ts";
import { GatewayError } from "../errors/gateway-error.ts";

/** What a call may use at most, as far as that is known before it is answered. */
export interface Hold {
  readonly tokens: number;
  readonly nano_usd: number;
}

/** What is left of a session's budgets; infinite where there is no limit. */
export type Room = Hold;

interface Waiter {
  readonly hold: Hold;
  readonly grant: () => void;
}

/**
 * What the calls in flight of one session hold of its budgets. A call that does not fit waits until others have given
 * back what they did not use, first come, first served. One that is alone always fits: so every call gets its turn,
 * and only one at a time can use more than what is left.
 */
export class BudgetHolds {
  #tokens = 0;
  #nanoUsd = 0;
  #calls = 0;
  readonly #waiting: Waiter[] = [];

  /**
   * Resolves once the hold fits into what is left, or nothing is left: then there is nothing to wait for.
   * @param room asked again whenever a call ends
   * @throws GatewayError rate_limited after `timeoutMs`, or the cancellation's reason
   */
  acquire(
    hold: Hold,
    room: () => Room,
    cancellation: Cancellation,
    timeoutMs: number,
  ): Promise<void> {
    if (this.#waiting.length === 0 && this.#fits(hold, room())) {
      this.#take(hold);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        stopListening();
        const at = this.#waiting.indexOf(waiter);
        if (at >= 0) this.#waiting.splice(at, 1);
      };
      const refuse = (reason: Error): void => {
        leave();
        reject(reason);
        // It may have kept smaller ones waiting.
        this.#grant(room());
      };
      const waiter: Waiter = {
        hold,
        grant: () => {
          leave();
          this.#take(hold);
          resolve();
        },
      };
      const timer = setTimeout(() => refuse(isHeld(timeoutMs)), timeoutMs);
      this.#waiting.push(waiter);
      const stopListening = cancellation.onCancel(refuse);
    });
  }

  /** The call has ended, and its usage is counted. */
  release({ tokens, nano_usd }: Hold, room: Room): void {
    this.#tokens -= tokens;
    this.#nanoUsd -= nano_usd;
    this.#calls -= 1;
    this.#grant(room);
  }

  #grant(room: Room): void {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      if (!this.#fits(first.hold, room)) return;
      first.grant();
    }
  }

  #fits({ tokens, nano_usd }: Hold, room: Room): boolean {
    if (this.#calls === 0 || room.tokens <= 0 || room.nano_usd <= 0) return true;
    return this.#tokens + tokens <= room.tokens && this.#nanoUsd + nano_usd <= room.nano_usd;
  }

  #take({ tokens, nano_usd }: Hold): void {
    this.#tokens += tokens;
    this.#nanoUsd += nano_usd;
    this.#calls += 1;
  }
}

const isHeld = (timeoutMs: number): GatewayError =>
  new GatewayError(
    "rate_limited",
    `The session's calls in flight hold the rest of its budget, and none gave enough back in ${timeoutMs} ms. Ask for fewer tokens, or for less at once.`,
    { retryAfterMs: 1_000 },
  );
