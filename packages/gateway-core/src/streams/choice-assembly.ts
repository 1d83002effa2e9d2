import type { JsonObject } from "../json/json-object.ts";
import { AssembledObject } from "./assembled-object.ts";
import type { ObjectRules } from "./assembly-rules.ts";
import { CaptureBudget } from "./capture-budget.ts";

/** The object that chunks with `choices` add up to. */
export interface ChoiceForm {
  /** Its member `object`, which in the chunks is another. */
  readonly object: string;
  readonly rules: ObjectRules;
  /** What every choice has where its chunks do not say otherwise. */
  readonly choice: Readonly<JsonObject>;
}

/** Builds, from the chunks of a stream, the object that the request without `stream` would have given. */
export class ChoiceAssembly {
  readonly #form: ChoiceForm;
  readonly #budget: CaptureBudget;
  readonly #completion: AssembledObject;
  #came = false;

  constructor(form: ChoiceForm, maxBytes: number) {
    this.#form = form;
    this.#budget = new CaptureBudget(maxBytes);
    this.#completion = new AssembledObject(form.rules, this.#budget);
    this.#completion.add({ object: form.object, choices: [] }, 0, false);
  }

  /** Something was left out for want of room. */
  get truncated(): boolean {
    return this.#budget.exceeded;
  }

  add(chunk: JsonObject, eventBytes: number): void {
    this.#came = true;
    this.#completion.add(chunk, eventBytes, false);
  }

  /** The object so far as JSON, UTF-8; null where no chunk came. */
  text(choiceIndexes: Iterable<number>): Uint8Array | null {
    if (!this.#came) return null;
    const choices = Array.from(choiceIndexes, (index) => ({ index, ...this.#form.choice }));
    this.#completion.add({ choices }, 0, false);
    return Buffer.from(this.#completion.json());
  }
}
