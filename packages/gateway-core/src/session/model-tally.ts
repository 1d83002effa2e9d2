import type { SessionModelBody } from "@proj/gateway-protocol";
import type { StoredModel } from "@proj/session-store";

/** What a session has counted for one model. */
export class ModelTally {
  /** Requests forwarded so far, and so the number of the last step. */
  steps = 0;
  successes = 0;
  latest_success_step: number | null = null;
  prompt_tokens = 0;
  completion_tokens = 0;

  /** Forgets what storage knows as well, before storage is asked. */
  forgetStored(): void {
    this.successes = 0;
    this.prompt_tokens = 0;
    this.completion_tokens = 0;
  }

  /** Adds what storage knows to what was counted before storage could be asked. */
  restore(stored: StoredModel): void {
    this.steps = Math.max(this.steps, stored.steps);
    this.successes += stored.successes;
    this.latest_success_step = later(this.latest_success_step, stored.latest_success_step);
    this.prompt_tokens += stored.prompt_tokens;
    this.completion_tokens += stored.completion_tokens;
  }

  /** Whether the budget is spent is told by its steps alone, so that a restart does not change it. */
  toStatusBody(max_steps: number): SessionModelBody {
    const { steps, successes, latest_success_step, prompt_tokens, completion_tokens } = this;
    const stopped = max_steps >= 0 && steps >= max_steps;
    return { steps, successes, latest_success_step, stopped, prompt_tokens, completion_tokens };
  }

  /** A step's row is durable. Rows may become durable in another order than that of their steps. */
  succeeded(step_id: number): void {
    this.successes += 1;
    this.latest_success_step = later(this.latest_success_step, step_id);
  }
}

function later(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
