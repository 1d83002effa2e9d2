import type { ChatPrompt } from "./renderer.ts";
import { type AddedMessages, type Renderer, withMark } from "./renderer.ts";

/** Asks the engine for the prompt ids of a conversation. */
export type AskEngine = (prompt: ChatPrompt, signal?: AbortSignal) => Promise<Int32Array>;

/** Two words of which no vocabulary makes the same ids. */
const marks = ["one", "two"] as const;

/** Renders where the model is, for routes without a tokenizer's folder. */
export class EngineRenderer implements Renderer {
  readonly #ask: AskEngine;

  constructor(ask: AskEngine) {
    this.#ask = ask;
  }

  render(prompt: ChatPrompt, signal?: AbortSignal): Promise<Int32Array> {
    return this.#ask(prompt, signal);
  }

  reads(): boolean {
    return true;
  }

  tokenTexts(): readonly string[] {
    return [];
  }

  /** The last place where two renderings differ is in their marks; the turn ends at the next stop token. */
  async renderAdded(added: AddedMessages, signal?: AbortSignal): Promise<Int32Array | null> {
    const [one, two] = await Promise.all(
      marks.map((mark) => this.#ask(withMark(added, mark), signal)),
    );
    if (one === undefined || two === undefined) return null;
    let same = 0;
    while (same < one.length && one.at(-1 - same) === two.at(-1 - same)) same += 1;
    const stop = same === one.length ? -1 : one.indexOf(added.last, one.length - same);
    return stop < 0 ? null : one.slice(stop + 1);
  }
}
