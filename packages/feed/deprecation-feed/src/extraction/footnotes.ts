import { isWithdrawn } from "./date-cells.ts";
import { writesDay } from "./dates.ts";
import type { Block, Section } from "./page.ts";
import type { Words } from "./words.ts";

const mark = "\\[\\^?\\w{1,3}\\]|[*†‡§]{1,3}";
const markAtEnd = new RegExp(`\\s?(${mark})$`);
const referenceAtEnd = /\s?(?:\[\^?\w{1,3}\]){1,4}$/;
const note = new RegExp(`^(?:Notes?:\\s*)?(${mark}|\\w(?=[.):]\\s))[.):]?\\s*(\\S.*)$`, "s");

/**
 * Writes into the dated cells of a page's tables what else the page says about their dates: that they are struck out, or
 * what their footnotes say.
 */
export function withRemarks(
  sections: readonly Section[],
  lines: readonly string[],
): readonly Section[] {
  const notes = notesOf(lines);
  return sections.map((section) => ({
    ...section,
    blocks: section.blocks.map((block, index) => {
      if (block.kind !== "table") return block;
      const remark = (words: Words): Words => {
        const found = markAtEnd.exec(words.text);
        if (found === null) return words;
        const sign = signOf(found[1] ?? "");
        const said =
          notes.get(sign) ?? (sign === "*" ? firstItem(section.blocks[index + 1]) : undefined);
        if (said === undefined) return words;
        const text = words.text.slice(0, found.index);
        return {
          ...words,
          text: writesDay(said) || isWithdrawn(said) ? `${text} (${said})` : text,
        };
      };
      const rows = block.grid.rows.map((row) =>
        row.map((words) => {
          if (!writesDay(words.text))
            return { ...words, text: words.text.replace(referenceAtEnd, "") };
          const holds =
            words.isStruck !== true ||
            row.every(({ isStruck, text }) => isStruck === true || text === "");
          return remark(holds ? words : { ...words, text: `${words.text} (struck out)` });
        }),
      );
      return { ...block, grid: { ...block.grid, rows } };
    }),
  }));
}

function notesOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  for (const line of lines) {
    const [, sign, said] = note.exec(line) ?? [];
    if (sign !== undefined && said !== undefined) notes.set(signOf(sign), said);
  }
  return notes;
}

const signOf = (written: string): string => written.replace(/[[\]^]/g, "");

/** Markdown turns a note that begins with a star into a list. */
const firstItem = (block: Block | undefined): string | undefined =>
  block?.kind === "list" ? block.items[0]?.words.text : undefined;
