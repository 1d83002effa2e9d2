const failuresToEject = 3;
const failureWindowMs = 10_000;
const firstEjectionMs = 10_000;
const maxEjectionMs = 300_000;

/** What an attempt says about its replica; `unknown` if the attempt was given up or merely slow. */
export type Verdict = "reachable" | "lost" | "unknown";

/**
 * Whether a replica can be reached: three lost connections within 10 s eject it for 10 s. Then one trial
 * decides: it is back at once, or ejected for twice as long, up to 5 min.
 */
export class ReplicaHealth {
  readonly #now: () => number;
  #failures: number[] = [];
  #ejected = false;
  #ejectedUntil = 0;
  #ejectionMs = firstEjectionMs;
  #onTrial = false;
  #asked = false;

  /** @param now a clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  get ejected(): boolean {
    return this.#ejected;
  }

  /** Whether an attempt was made, so that anything is known of it. */
  get asked(): boolean {
    return this.#asked;
  }

  /** Whether it may be chosen: it is not ejected, or its trial is due. */
  get available(): boolean {
    return !this.#ejected || (!this.#onTrial && this.#now() >= this.#ejectedUntil);
  }

  /** Begins an attempt. The returned function takes the verdict, once. */
  begin(): (verdict: Verdict) => void {
    this.#asked = true;
    if (!this.#ejected) return this.#judgeHealthy;
    this.#onTrial = true;
    return this.#judgeEjected;
  }

  readonly #judgeHealthy = (verdict: Verdict): void => {
    if (verdict !== "lost" || this.#ejected) return;
    const now = this.#now();
    this.#failures = this.#failures.filter((at) => now - at < failureWindowMs);
    this.#failures.push(now);
    if (this.#failures.length >= failuresToEject) this.#eject(now);
  };

  /** Attempts on an ejected replica: its trial, or any attempt while no replica is healthy. */
  readonly #judgeEjected = (verdict: Verdict): void => {
    this.#onTrial = false;
    if (!this.#ejected || verdict === "unknown") return;
    if (verdict === "reachable") {
      this.#ejected = false;
      this.#ejectionMs = firstEjectionMs;
      return;
    }
    const now = this.#now();
    if (now < this.#ejectedUntil) return;
    this.#ejectionMs = Math.min(this.#ejectionMs * 2, maxEjectionMs);
    this.#eject(now);
  };

  #eject(now: number): void {
    this.#ejected = true;
    this.#ejectedUntil = now + this.#ejectionMs;
    this.#failures = [];
  }
}
