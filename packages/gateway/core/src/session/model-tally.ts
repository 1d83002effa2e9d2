import type { SessionModelBody } from "@proj/gateway-protocol";
import type { TokenCounts } from "@proj/model-apis";
import type { StoredModel, Unpriced } from "@proj/session-store";
import type { Hold } from "./budget-holds.ts";

type Tokens = Pick<TokenCounts, "prompt_tokens" | "completion_tokens">;

const nothingUnpriced: Unpriced = { steps: 0, tokens: 0, nano_usd: 0 };

/** A session's counts for one model. */
export class ModelTally {
  #steps = 0;
  /** Steps whose budget a retry gave back. */
  #returned = 0;
  #rowsBesidesSteps = 0;
  #successes = 0;
  #replayed = 0;
  #latestSuccessStep: number | null = null;
  #promptTokens = 0;
  #completionTokens = 0;
  #costNanoUsd = 0;
  #longest = 0;
  #unpriced: Unpriced = nothingUnpriced;
  /** When the stop was given that a later request ignores; null: none was. By `performance.now()`. */
  #stoppedAt: number | null = null;
  #ignoredStops = 0;
  /** Its last step was taken before it was read from storage, which does not know of stops. */
  #isResumed = false;

  /** Requests forwarded so far, which is also the number of the last step. */
  get steps(): number {
    return this.#steps;
  }

  /** Steps that count against the budget. */
  get spent(): number {
    return this.#steps - this.#returned;
  }

  /** Tokens of prompts and answers. */
  get tokens(): number {
    return this.#promptTokens + this.#completionTokens;
  }

  get costNanoUsd(): number {
    return this.#costNanoUsd;
  }

  /** Tokens of the longest call; after a restart, those of all calls before it, none of which was longer. */
  get longest(): number {
    return this.#longest;
  }

  /** Steps of unknown usage or price, and what they held. */
  get unpriced(): Unpriced {
    return this.#unpriced;
  }

  /** Stored steps that the record of another session answered. */
  get replayed(): number {
    return this.#replayed;
  }

  get latestSuccessStep(): number | null {
    return this.#latestSuccessStep;
  }

  /** Begins the next step and returns its number. */
  takeStep(): number {
    this.#isResumed = false;
    this.#steps += 1;
    return this.#steps;
  }

  /**
   * Takes back the number of a step that never left the gateway; false if a later step exists.
   * @param wasRetry it had given back another step's budget
   */
  untakeStep(step_id: number, wasRetry: boolean): boolean {
    if (this.#steps !== step_id) return false;
    this.#steps -= 1;
    if (wasRetry) this.#returned -= 1;
    return true;
  }

  returnStep(): void {
    this.#returned += 1;
  }

  /** Returns the number for recording a call that is not a step: -1, -2 and so on. */
  takeNumberBesides(): number {
    this.#rowsBesidesSteps += 1;
    return -this.#rowsBesidesSteps;
  }

  addUsage(tokens: Tokens, cost_nano_usd: number | null): void {
    const { prompt_tokens, completion_tokens } = tokens;
    this.#promptTokens += prompt_tokens ?? 0;
    this.#completionTokens += completion_tokens ?? 0;
    this.#longest = Math.max(this.#longest, (prompt_tokens ?? 0) + (completion_tokens ?? 0));
    this.#costNanoUsd += cost_nano_usd ?? 0;
  }

  /** @param held what it held of the budgets, which counts as used */
  addUnpriced(held: Hold | null, steps = 1): void {
    const { tokens = 0, nano_usd = 0 } = held ?? {};
    const before = this.#unpriced;
    this.#unpriced = {
      steps: before.steps + steps,
      tokens: before.tokens + tokens,
      nano_usd: before.nano_usd + nano_usd,
    };
  }

  /** A row is durable, perhaps under another number. Rows may become durable in any order. */
  stored(step_id: number, isSuccess: boolean): void {
    this.#rowsBesidesSteps = Math.max(this.#rowsBesidesSteps, -step_id);
    if (step_id < 0) return;
    this.#steps = Math.max(this.#steps, step_id);
    if (!isSuccess) return;
    this.#successes += 1;
    this.#latestSuccessStep = later(this.#latestSuccessStep, step_id);
  }

  /** A step that the record of another session answered is durable. */
  storedReplayed(): void {
    this.#replayed += 1;
  }

  /** Drops the counts that storage also has, before they are read from storage. */
  forgetStored(): void {
    this.#returned = 0;
    this.#successes = 0;
    this.#replayed = 0;
    this.#promptTokens = 0;
    this.#completionTokens = 0;
    this.#costNanoUsd = 0;
    this.#unpriced = nothingUnpriced;
  }

  /**
   * Its budget is spent, and it is asked all the same. Requests that came before the last stop was given do not
   * ignore it: parallel agents get one each. If the budget was spent before a restart, they may have had their stops
   * then, and get one more.
   * @param cameAt when the request came, by `performance.now()`
   * @param max how many they may ignore
   * @returns how many stops its callers have ignored
   */
  askedInVain(cameAt: number, max: number): number {
    if (this.#stoppedAt !== null && cameAt <= this.#stoppedAt) return this.#ignoredStops;
    if (this.#stoppedAt !== null) this.#ignoredStops += 1;
    else if (this.#isResumed) this.#ignoredStops = Math.max(0, max - 1);
    this.#stoppedAt = performance.now();
    return this.#ignoredStops;
  }

  /** Adds storage's counts to what was counted before storage could be asked. */
  restore(stored: StoredModel): void {
    this.#isResumed = true;
    this.#steps = Math.max(this.#steps, stored.steps);
    this.#returned += stored.returned_steps;
    this.#rowsBesidesSteps = Math.max(this.#rowsBesidesSteps, stored.rows_besides_steps);
    this.#successes += stored.successes;
    this.#replayed += stored.replayed_steps;
    this.#latestSuccessStep = later(this.#latestSuccessStep, stored.latest_success_step);
    this.#promptTokens += stored.prompt_tokens;
    this.#completionTokens += stored.completion_tokens;
    this.#costNanoUsd += stored.cost_nano_usd;
    this.#longest = Math.max(this.#longest, stored.prompt_tokens + stored.completion_tokens);
    const { unpriced } = stored;
    if (unpriced !== undefined) this.addUnpriced(unpriced, unpriced.steps);
  }

  toStatusBody(): SessionModelBody {
    return {
      steps: this.#steps,
      successes: this.#successes,
      latest_success_step: this.#latestSuccessStep,
      stopped: this.#stoppedAt !== null,
      prompt_tokens: this.#promptTokens,
      completion_tokens: this.#completionTokens,
      cost_nano_usd: this.#costNanoUsd,
      ...(this.#unpriced.steps === 0 ? {} : { unpriced_steps: this.#unpriced.steps }),
    };
  }
}

function later(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
