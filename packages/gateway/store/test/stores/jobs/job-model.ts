import type { EnvironmentRow, EnvironmentStatus } from "../../../src/environment-row.ts";
import { simulations } from "../../temporary-jobs.ts";

/** The expected state of an attempt. */
export interface ModelAttempt {
  readonly simulation_id: string;
  readonly attempt: number;
  status: EnvironmentStatus;
  owner: string | null;
  isStale: boolean;
  hasStep: boolean;
}

const byStatus = (one: ModelAttempt, other: ModelAttempt): number =>
  one.status < other.status ? -1 : Number(one.status > other.status);

/** The expected state of a job after some actions; its attempts are in the order in which they were added. */
export class JobModel {
  readonly attempts: ModelAttempt[] = [];

  /** Returns how many the job did not have yet. */
  addSimulations(count: number): number {
    const added = simulations(count).filter((each) => this.#of(each.simulation_id).length === 0);
    for (const { simulation_id } of added) this.#add(simulation_id);
    return added.length;
  }

  claim(owner: string, limit: number): ModelAttempt[] {
    const claimed = this.attempts.filter(({ status }) => status === "pending").slice(0, limit);
    for (const attempt of claimed) {
      Object.assign(attempt, { status: "running", owner, isStale: false });
    }
    return claimed;
  }

  interrupt(chosen: (attempt: ModelAttempt) => boolean): void {
    const running = this.attempts.filter(({ status }) => status === "running");
    for (const attempt of running.filter(chosen)) {
      attempt.status = "interrupted";
      this.#add(attempt.simulation_id);
    }
  }

  fail(attempt: ModelAttempt, status: "failed" | "infrastructure", max_attempts: number): void {
    attempt.status = status;
    this.#addUnless(attempt.simulation_id, status, max_attempts);
  }

  /** Returns how many attempts were added. */
  retryFailed(max_attempts: number, max_infrastructure_attempts: number): number {
    const before = this.attempts.length;
    const last = this.attempts.filter((attempt) => !this.isSuperseded(attempt));
    for (const { simulation_id, status } of last.toSorted(byStatus)) {
      if (status === "failed") this.#addUnless(simulation_id, status, max_attempts);
      if (status === "infrastructure")
        this.#addUnless(simulation_id, status, max_infrastructure_attempts);
    }
    return this.attempts.length - before;
  }

  isSuperseded({ simulation_id, attempt }: ModelAttempt): boolean {
    return this.#of(simulation_id).length > attempt;
  }

  #of(simulation_id: string): ModelAttempt[] {
    return this.attempts.filter((attempt) => attempt.simulation_id === simulation_id);
  }

  #add(simulation_id: string): void {
    const attempt = this.#of(simulation_id).length + 1;
    const state = { status: "pending", owner: null, isStale: false, hasStep: false } as const;
    this.attempts.push({ simulation_id, attempt, ...state });
  }

  #addUnless(simulation_id: string, counted: EnvironmentStatus, most: number): void {
    const ended = this.#of(simulation_id).filter(({ status }) => status === counted);
    if (ended.length < most) this.#add(simulation_id);
  }
}

export const keyOf = ({ simulation_id, attempt }: ModelAttempt | EnvironmentRow): string =>
  `${simulation_id} ${attempt}`;
