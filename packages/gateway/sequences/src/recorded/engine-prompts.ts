import type { EngineRecord } from "@proj/model-apis/tokens";

/**
 * The whole prompts of a session's engine steps. A row keeps only the ids that its prompt adds to the step that it
 * continues, so that step must be added first.
 */
export class EnginePrompts {
  /** Prompt and answer of each step, by its `request_id`. */
  readonly #steps = new Map<string, Int32Array>();

  /**
   * The ids of a step's whole prompt; null if the step that it continues is missing.
   * @param request_ids of the step, and of the step that it was replayed from
   */
  add({ prompt, token_ids }: EngineRecord, request_ids: readonly string[]): Int32Array | null {
    const before = prompt.continues === null ? new Int32Array() : this.#steps.get(prompt.continues);
    if (before === undefined) return null;
    const ids = joined(before, prompt.ids);
    const whole = joined(ids, token_ids);
    for (const id of request_ids) this.#steps.set(id, whole);
    return ids;
  }
}

function joined(before: Int32Array, after: ArrayLike<number>): Int32Array {
  const ids = new Int32Array(before.length + after.length);
  ids.set(before);
  ids.set(after, before.length);
  return ids;
}
