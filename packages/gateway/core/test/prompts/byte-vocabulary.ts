import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** How byte-level vocabularies write each byte: as itself where it is a visible character, else as one behind 255. */
function byteTokens(): string[] {
  const isVisible = (byte: number): boolean =>
    (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(isVisible(byte) ? byte : next++),
  );
}

export interface SpecialToken {
  readonly content: string;
  /** It takes the white space behind it. */
  readonly rstrip?: boolean;
}

/**
 * Writes a model's folder whose tokens are bytes, and behind them special tokens.
 * @param files chat templates, by their paths in the folder
 */
export async function byteFolder(
  special: readonly SpecialToken[],
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "byte-vocabulary-"));
  const added_tokens = special.map(({ content, rstrip = false }, at) => {
    const flags = { single_word: false, lstrip: false, rstrip, normalized: false, special: true };
    return { id: 256 + at, content, ...flags };
  });
  const split = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true };
  const vocab = Object.fromEntries(byteTokens().map((token, byte) => [token, byte]));
  const model = { type: "BPE", unk_token: null, byte_fallback: false, vocab, merges: [] };
  const tokenizer = { version: "1.0", added_tokens, normalizer: null, pre_tokenizer: split, model };
  const written = {
    "tokenizer.json": JSON.stringify({ ...tokenizer, post_processor: null, decoder: split }),
    "tokenizer_config.json": JSON.stringify({ tokenizer_class: "PreTrainedTokenizerFast" }),
    ...files,
  };
  for (const [path, text] of Object.entries(written)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** The text of ids of such a folder. */
export function textOfBytes(ids: Iterable<number>, special: readonly SpecialToken[]): string {
  const parts = Array.from(ids, (id) =>
    id < 256 ? Buffer.of(id) : Buffer.from(special[id - 256]?.content ?? "?"),
  );
  return Buffer.concat(parts).toString();
}
