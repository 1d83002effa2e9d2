import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { attribute, isElement } from "./elements.ts";
import { plainText, type Words, wordsOf } from "./words.ts";

/** A table with its row and column spans resolved. */
export interface Grid {
  readonly headings: readonly string[];
  /**
   * Rows about one thing each, without those that divide the table into parts. Some pages omit the first or last cells
   * of a row, which is then shorter than the headings.
   */
  readonly rows: readonly (readonly Words[])[];
}

interface Cell {
  readonly words: Words;
  readonly isHeading: boolean;
}

const emptyCell: Cell = { words: { text: "", links: [] }, isHeading: false };
/** Limits what spans can make of a page; no real table is this wide. */
const maxColumns = 100;

export function readGrid(table: Tree.Element): Grid {
  const rows = resolveSpans(table);
  const firstData = rows.findIndex((row) => row.some(({ isHeading }) => !isHeading));
  const headRows = Math.max(1, firstData === -1 ? rows.length : firstData);
  const head = rows.slice(0, headRows).filter((row) => !isDivider(row));
  const headings = (head[0] ?? []).map((_, column) => {
    const texts = head.map((row) => plainText((row[column] ?? emptyCell).words));
    return [...new Set(texts)].join(" ").trim();
  });
  const repeatsHead = (row: readonly Cell[]): boolean =>
    row.every(({ words }, column) => plainText(words) === headings[column]);
  const data = rows.slice(headRows).filter((row) => !isDivider(row) && !repeatsHead(row));
  return { headings, rows: data.map((row) => row.map(({ words }) => words)) };
}

/** A single cell across the whole table, or a lone text that is not a model id. */
function isDivider(row: readonly Cell[]): boolean {
  if (row.length < 2) return false;
  if (new Set(row).size === 1) return true;
  const filled = row.filter(({ words }) => words.text !== "");
  return filled.length < 2 && filled.every(({ words }) => !/[\d-]/.test(words.text));
}

function resolveSpans(table: Tree.Element): readonly (readonly Cell[])[] {
  const rows = rowsOf(table);
  const grid: Cell[][] = rows.map(() => []);
  for (const [y, row] of rows.entries()) {
    let x = 0;
    for (const element of row.childNodes.filter(isElement)) {
      if (element.tagName !== "td" && element.tagName !== "th") continue;
      while (grid[y]?.[x] !== undefined) x++;
      const cell = { words: wordsOf(element.childNodes), isHeading: element.tagName === "th" };
      const end = Math.min(x + span(element, "colspan"), maxColumns);
      for (const line of grid.slice(y, y + span(element, "rowspan"))) {
        for (let column = x; column < end; column++) line[column] = cell;
      }
      x = end;
    }
  }
  // Array.from fills the holes left by spans; a row that is too short stays short.
  return grid.map((line) => Array.from(line, (cell) => cell ?? emptyCell));
}

function rowsOf(table: Tree.Element): readonly Tree.Element[] {
  return table.childNodes.filter(isElement).flatMap((child) => {
    if (child.tagName === "tr") return [child];
    return /^t(?:head|body|foot)$/.test(child.tagName) ? rowsOf(child) : [];
  });
}

function span(cell: Tree.Element, name: "colspan" | "rowspan"): number {
  const written = Number.parseInt(attribute(cell, name), 10);
  if (name === "rowspan" && written === 0) return Number.POSITIVE_INFINITY;
  return written > 0 ? written : 1;
}
