/** A step that a later request may turn out to repeat. */
export interface RepeatableStep {
  readonly step_id: number;
  /** Whether the caller got the whole answer: then only its word makes a repetition a retry. */
  readonly isDelivered: boolean;
  /** How many retries led to it. */
  readonly retries: number;
}

/** What a request may be known by as a retry. */
export interface RetryMarks {
  readonly endpoint: string;
  /** The route that it is accounted under. */
  readonly model: string;
  /** `idempotency-key`, where it was sent. */
  readonly idempotency_key: string | null;
  /** Whether the caller says so (`x-stainless-retry-count`). */
  readonly saysSo: boolean;
  readonly sha256: () => string;
}

/** SDKs give up sooner. An agent that repeats one request for ever pays for it from then on. */
const mostRetries = 10;
/** Of a session, the latest: a retry follows its step closely. */
const mostSteps = 32;
const longestKey = 256;

/** The latest steps of a session, by which retries are known: those are one logical step with what they repeat. */
export class Retries {
  readonly #byBody = new Map<string, RepeatableStep>();
  readonly #byKey = new Map<string, RepeatableStep>();
  #undelivered = 0;

  /** The step that a request repeats; null: none, or one that was repeated often enough. */
  find(marks: RetryMarks): RepeatableStep | null {
    const step = this.#byKey.get(keyOf(marks) ?? "") ?? this.#findByBody(marks);
    return step !== null && step.retries < mostRetries ? step : null;
  }

  /** Whether the step was still to be repeated: of requests that repeat it at once, one is its retry. */
  claim(step: RepeatableStep): boolean {
    let found = false;
    for (const steps of [this.#byBody, this.#byKey])
      for (const [mark, each] of steps)
        if (each === step) {
          found = true;
          this.#forget(steps, mark);
        }
    return found;
  }

  ended(marks: RetryMarks, step: RepeatableStep): void {
    this.#keep(this.#byBody, bodyOf(marks), step);
    const key = keyOf(marks);
    if (key !== null) this.#keep(this.#byKey, key, step);
  }

  #findByBody(marks: RetryMarks): RepeatableStep | null {
    // Mostly nothing has failed, and the digest of the body is not worth its time.
    if (this.#undelivered === 0 && !marks.saysSo) return null;
    const step = this.#byBody.get(bodyOf(marks));
    return step !== undefined && (!step.isDelivered || marks.saysSo) ? step : null;
  }

  #keep(steps: Map<string, RepeatableStep>, mark: string, step: RepeatableStep): void {
    this.#forget(steps, mark);
    steps.set(mark, step);
    if (!step.isDelivered) this.#undelivered += 1;
    const [oldest] = steps.keys();
    if (steps.size > mostSteps && oldest !== undefined) this.#forget(steps, oldest);
  }

  #forget(steps: Map<string, RepeatableStep>, mark: string): void {
    const step = steps.get(mark);
    if (step?.isDelivered === false) this.#undelivered -= 1;
    steps.delete(mark);
  }
}

const bodyOf = ({ endpoint, model, sha256 }: RetryMarks): string =>
  `${endpoint} ${model} ${sha256()}`;

function keyOf({ endpoint, model, idempotency_key }: RetryMarks): string | null {
  if (idempotency_key === null || idempotency_key.length > longestKey) return null;
  return `${endpoint} ${model} ${idempotency_key}`;
}
