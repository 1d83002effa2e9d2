import {
  type AddedMessages,
  type ChatPrompt,
  cannotRender,
  type Renderer,
  withMark,
} from "./renderer.ts";
import type { TokenizerFolder } from "./tokenizer-folder.ts";

/** Not in any conversation, so that it is found where it was put. */
const mark = "\u27e6mark\u27e7";

/** Renders with the model's own template and vocabulary. */
export class LocalRenderer implements Renderer {
  readonly #folder: TokenizerFolder;

  constructor(folder: TokenizerFolder) {
    this.#folder = folder;
  }

  async render(prompt: ChatPrompt): Promise<Int32Array> {
    return this.#encode(this.text(prompt));
  }

  async renderAdded(added: AddedMessages): Promise<Int32Array | null> {
    const text = this.#textOrNull(withMark(added, mark));
    if (text === null) return null;
    const at = text.lastIndexOf(mark);
    if (at < 0) return null;
    const end = this.#endOfTurn(text, at + mark.length, added.last);
    return end === null ? null : this.#encode(text.slice(end));
  }

  tokenText(id: number): string {
    return this.#folder.decode(id);
  }

  /**
   * The conversation as the model reads it.
   * @throws GatewayError not_supported_by_engine: templates refuse roles out of order, for example
   */
  text({ messages, tools, variables }: ChatPrompt): string {
    const { specialTokens } = this.#folder;
    try {
      return this.#folder.render({
        ...specialTokens,
        ...variables,
        messages,
        tools,
        documents: null,
        add_generation_prompt: true,
      });
    } catch (cause) {
      // Nested too deeply, which is not the template's fault.
      if (cause instanceof RangeError) throw cause;
      throw cannotRender(cause instanceof Error ? cause.message : String(cause), cause);
    }
  }

  /** A template may refuse the short conversation, and not the whole one. */
  #textOrNull(prompt: ChatPrompt): string | null {
    try {
      return this.text(prompt);
    } catch {
      return null;
    }
  }

  /** Where the text goes on after the model's last token. */
  #endOfTurn(text: string, from: number, last: number): number | null {
    const { special } = this.#folder;
    const sampled = special.get(last);
    const at = sampled === undefined ? -1 : text.indexOf(sampled, from);
    if (sampled !== undefined && at >= 0) return at + sampled.length;
    const ends = [...special.values()].flatMap((end) => {
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
    return Int32Array.from(this.#folder.encode(text));
  }
}
