import type { JsonObject } from "../json/json-object.ts";
import { AssembledObject } from "./assembled-object.ts";
import type { ObjectRules } from "./assembly-rules.ts";
import { CaptureBudget } from "./capture-budget.ts";

/** How chunks with `choices` add up to an object. */
export interface ChoiceForm {
  /** The object's member `object`, which differs in the chunks. */
  readonly object: string;
  readonly rules: ObjectRules;
  /** Members of every choice unless its chunks say otherwise. */
  readonly choice: Readonly<JsonObject>;
}

/** Builds from a stream's chunks the object that the request would have returned without `stream`. */
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

  /** Something was left out for lack of room. */
  get truncated(): boolean {
    return this.#budget.exceeded;
  }

  add(chunk: JsonObject, eventBytes: number): void {
    this.#came = true;
    this.#completion.add(chunk, eventBytes, false);
  }

  /** The object so far as JSON in UTF-8; null if no chunk came. */
  text(choiceIndexes: Iterable<number>): Uint8Array | null {
    if (!this.#came) return null;
    const choices = Array.from(choiceIndexes, (index) => ({ index, ...this.#form.choice }));
    this.#completion.add({ choices }, 0, false);
    return Buffer.from(this.#completion.json());
  }
}
