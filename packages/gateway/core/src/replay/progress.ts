import type { SessionRecord } from "./read-record.ts";
import { cameWhole, type RecordedStep } from "./recorded-step.ts";

/**
 * `open`: not asked for yet, so that later steps must wait. `given`: its answer is on its way, or did not
 * arrive whole. `stored`: another gateway, or this one before a restart, stored its answer, and may have died before
 * the caller had it. `replayed`: its answer arrived.
 */
type StepState = "open" | "given" | "stored" | "replayed";

/** How far a session's requests have followed the record. */
export class Progress {
  readonly #record: SessionRecord;
  /** By row id. A step without an entry is open. */
  readonly #states = new Map<number, Exclude<StepState, "open">>();
  #hasDiverged = false;

  /** @param own what this session itself has recorded so far */
  constructor(record: SessionRecord, own: readonly RecordedStep[]) {
    this.#record = record;
    for (const { model, replayed_step_id, ...step } of own) {
      if (replayed_step_id === null) continue;
      const replayed = record.steps.get(model)?.find((each) => each.step_id === replayed_step_id);
      if (replayed !== undefined)
        this.#states.set(replayed.id, cameWhole(step) ? "stored" : "given");
    }
    // A step that went to the model before the record was used up must have differed from it.
    this.#hasDiverged = own.some(
      ({ model, step_id, replayed_step_id }) =>
        step_id > 0 && replayed_step_id === null && this.#isOpen(model),
    );
  }

  /** A request differed, and everything after it goes upstream. */
  get hasDiverged(): boolean {
    return this.#hasDiverged;
  }

  get passedOver(): readonly RecordedStep[] {
    return this.#record.passedOver;
  }

  get besides(): readonly RecordedStep[] {
    return this.#record.besides;
  }

  diverge(): void {
    this.#hasDiverged = true;
  }

  last(model: string): RecordedStep | undefined {
    return this.#record.steps.get(model)?.at(-1);
  }

  /**
   * The steps that the model's next request may repeat: those next in the record (several if their requests
   * ran in parallel), and those whose answers were given but may not have arrived, each once more. For a retry, steps
   * whose answers arrived are included too, and come first.
   */
  candidates(model: string, isRetry: boolean): readonly RecordedStep[] {
    const next: RecordedStep[] = [];
    const given: RecordedStep[] = [];
    const stored: RecordedStep[] = [];
    const replayed: RecordedStep[] = [];
    let firstEnd = Number.POSITIVE_INFINITY;
    for (const step of this.#record.steps.get(model) ?? []) {
      const state = this.#states.get(step.id);
      if (state === "replayed") replayed.push(step);
      else if (state === "given") given.push(step);
      else if (state === "stored") stored.unshift(step);
      else {
        // Within one millisecond, a row does not tell. To wait for a step that ran in parallel would refuse a
        // right order; to accept one that came next only admits a request that equals it.
        if (step.began <= firstEnd) next.push(step);
        firstEnd = Math.min(firstEnd, step.ended);
      }
    }
    return isRetry
      ? [...given, ...stored, ...replayed.toReversed(), ...next]
      : [...next, ...given, ...stored];
  }

  take({ id }: RecordedStep): { ended(isWhole: boolean): void; giveBack(): void } {
    const before = this.#states.get(id);
    if (before === undefined) this.#states.set(id, "given");
    return {
      ended: (isWhole) => {
        if (isWhole) this.#states.set(id, "replayed");
      },
      giveBack: () => {
        if (before === undefined) this.#states.delete(id);
      },
    };
  }

  #isOpen(model: string): boolean {
    const steps = this.#record.steps.get(model) ?? [];
    return steps.some(({ id }) => !this.#states.has(id));
  }
}
