/** The texts of a page, one per paragraph, list item and table row, searched for models. */
export class PageLines {
  readonly #lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /**
   * Where the page still names a model, other than as another one's replacement.
   * @param others ids whose rows were read
   */
  naming(model_id: string, others: Iterable<string>): string | null {
    const name = namePattern(model_id);
    for (const line of this.#lines) {
      const at = line.search(name);
      if (at === -1) continue;
      const isOfAnother = [...others].some((id) => {
        const place = line.search(namePattern(id));
        return place !== -1 && place < at;
      });
      if (isOfAnother) continue;
      const isLong = line.length > 120;
      return (isLong ? `${line.slice(Math.max(0, at - 40), at + 80)} …` : line).trim();
    }
    return null;
  }
}

const patterns = new Map<string, RegExp>();

/** An id as a whole word, with any separators: `GPT 4 0613` matches `gpt-4-0613`. */
function namePattern(model_id: string): RegExp {
  const known = patterns.get(model_id);
  if (known !== undefined) return known;
  const parts = model_id.match(/[\p{L}\p{N}]+/gu) ?? [];
  const joint = "[^\\p{L}\\p{N}\\n|]{0,3}";
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}][-._:@/]?)${parts.join(joint)}(?![-._:@/]?[\\p{L}\\p{N}])`,
    "iu",
  );
  if (patterns.size > 5000) patterns.clear();
  patterns.set(model_id, pattern);
  return pattern;
}
