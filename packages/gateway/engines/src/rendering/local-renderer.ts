import type { ChatPrompt } from "./renderer.ts";
import { type AddedMessages, type Renderer, withMark } from "./renderer.ts";
import type { TokenizerFolder } from "./tokenizer-folder.ts";

/** Not in any conversation, so that it is found where it was put. */
const mark = "\u27e6mark\u27e7";

/** Renders with the model's own template and vocabulary. */
export class LocalRenderer implements Renderer {
  readonly #folder: TokenizerFolder;
  /** Texts of the vocabulary's special tokens, such as the end of a turn, by their ids. */
  readonly #special = new Map<number, string>();

  constructor(folder: TokenizerFolder) {
    this.#folder = folder;
    for (const [id, { special, content }] of folder.tokenizer.get_added_tokens_decoder())
      if (special) this.#special.set(id, content);
  }

  async render(prompt: ChatPrompt): Promise<Int32Array> {
    return this.#encode(this.text(prompt));
  }

  async renderAdded(added: AddedMessages): Promise<Int32Array | null> {
    const text = this.text(withMark(added, mark));
    const at = text.lastIndexOf(mark);
    if (at < 0) return null;
    const end = this.#endOfTurn(text, at + mark.length, added.last);
    return end === null ? null : this.#encode(text.slice(end));
  }

  /** The conversation as the model reads it. */
  text({ messages, tools, variables }: ChatPrompt): string {
    const { template, specialTokens } = this.#folder;
    return template.render({
      ...specialTokens,
      ...variables,
      messages,
      ...(tools === null ? {} : { tools }),
      add_generation_prompt: true,
    });
  }

  /** Where the text goes on after the model's last token. */
  #endOfTurn(text: string, from: number, last: number): number | null {
    const sampled = this.#special.get(last);
    const at = sampled === undefined ? -1 : text.indexOf(sampled, from);
    if (sampled !== undefined && at >= 0) return at + sampled.length;
    const ends = [...this.#special.values()].flatMap((end) => {
      const start = text.indexOf(end, from);
      return start < 0 ? [] : [{ start, end: start + end.length }];
    });
    const [first] = ends.toSorted((one, other) => one.start - other.start);
    if (first === undefined) return null;
    // A template may close a turn with another token than the model does. A turn that the model did not close
    // is closed by the template.
    return sampled === undefined ? first.start : first.end;
  }

  #encode(text: string): Int32Array {
    const { ids } = this.#folder.tokenizer.encode(text, { add_special_tokens: false });
    return Int32Array.from(ids);
  }
}
