/** A step that a later request may turn out to repeat. */
export interface RepeatableStep {
  readonly step_id: number;
  /** Whether the caller got the whole answer: a repetition is then a retry only if the caller says so. */
  readonly isDelivered: boolean;
  /** How many retries led to this step. */
  readonly retries: number;
}

/** What identifies a request as a retry. */
export interface RetryMarks {
  readonly endpoint: string;
  /** The route whose budget it uses. */
  readonly model: string;
  /** The `idempotency-key` header, if sent. */
  readonly idempotency_key: string | null;
  /** Whether the caller declares a retry (`x-stainless-retry-count`). */
  readonly saysSo: boolean;
  readonly sha256: () => string;
}

/** SDKs give up sooner. An agent that repeats one request for ever spends its budget from here on. */
const maxRetries = 10;
/** Only a session's latest steps count: a retry follows its step closely. */
const maxSteps = 32;
const maxKey = 256;

/**
 * A session's latest steps, used to recognise retries: a retry and the step it repeats are one logical step.
 */
export class Retries {
  readonly #byBody = new LatestSteps();
  readonly #byKey = new LatestSteps();

  /** The step that a request repeats; null if there is none, or it was repeated too often. */
  find(marks: RetryMarks): RepeatableStep | null {
    const key = keyOf(marks);
    const step = (key === null ? null : this.#byKey.find(key)) ?? this.#findByBody(marks);
    return step !== null && step.retries < maxRetries ? step : null;
  }

  /**
   * Whether the step could still be claimed: of several requests that repeat it at once, one is its retry.
   */
  claim(step: RepeatableStep): boolean {
    const [byBody, byKey] = [this.#byBody.claim(step), this.#byKey.claim(step)];
    return byBody || byKey;
  }

  ended(marks: RetryMarks, step: RepeatableStep): void {
    this.#byBody.keep(bodyOf(marks), step);
    const key = keyOf(marks);
    if (key !== null) this.#byKey.keep(key, step);
  }

  #findByBody(marks: RetryMarks): RepeatableStep | null {
    // Usually nothing has failed, and the body need not be hashed.
    if (!marks.saysSo && this.#byBody.areDelivered) return null;
    const step = this.#byBody.find(bodyOf(marks));
    return step !== null && (!step.isDelivered || marks.saysSo) ? step : null;
  }
}

/** What a request shares with its retries: the hash of its body, alone or with its caller's key. */
interface Mark {
  readonly endpoint: string;
  readonly model: string;
  readonly text: string;
}

interface MarkedStep {
  readonly mark: Mark;
  readonly step: RepeatableStep;
}

/**
 * The latest steps, each under its mark, the oldest first. An array, because a Map whose entries come and go
 * with every step is rebuilt every few steps, and V8 keeps each copy until its next full collection.
 */
class LatestSteps {
  readonly #marked: MarkedStep[] = [];
  #undelivered = 0;

  get areDelivered(): boolean {
    return this.#undelivered === 0;
  }

  find(mark: Mark): RepeatableStep | null {
    return this.#marked.find((each) => isSame(each.mark, mark))?.step ?? null;
  }

  /** Replaces a step with the same mark. */
  keep(mark: Mark, step: RepeatableStep): void {
    const known = this.#marked.findIndex((each) => isSame(each.mark, mark));
    if (known >= 0) this.#forget(known);
    else if (this.#marked.length === maxSteps) this.#forget(0);
    this.#marked.push({ mark, step });
    if (!step.isDelivered) this.#undelivered += 1;
  }

  /** Returns whether the step was here, and forgets it. */
  claim(step: RepeatableStep): boolean {
    const known = this.#marked.findIndex((each) => each.step === step);
    if (known >= 0) this.#forget(known);
    return known >= 0;
  }

  #forget(index: number): void {
    const [forgotten] = this.#marked.splice(index, 1);
    if (forgotten?.step.isDelivered === false) this.#undelivered -= 1;
  }
}

/** Compared member by member: a string of all three would have to be built for every step. */
const isSame = (one: Mark, other: Mark): boolean =>
  one.text === other.text && one.model === other.model && one.endpoint === other.endpoint;

const bodyOf = ({ endpoint, model, sha256 }: RetryMarks): Mark => {
  return { endpoint, model, text: sha256() };
};

/** A key counts only for the body that it was first sent with: another body is another step. */
function keyOf({ endpoint, model, idempotency_key: key, sha256 }: RetryMarks): Mark | null {
  if (key === null || key.length > maxKey) return null;
  return { endpoint, model, text: `${sha256()} ${key}` };
}
