import { parse, parseFragment, serialize, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { meaningOf } from "../../src/extraction/columns.ts";
import { readDateCell } from "../../src/extraction/dates.ts";
import { plainText, wordsOf } from "../../src/extraction/words.ts";
import type { CalendarDay } from "../../src/notice/notice.ts";
import { cellsOf, elementsOf, replaceChildren } from "../providers/page-tree.ts";

/** The models' ends, as a reader of the mutated page would understand it. */
export type Ends = ReadonlyMap<string, End>;

export interface End {
  readonly deprecation_date: CalendarDay;
  readonly shutdown_date: CalendarDay;
}

/** A plausible redesign of a provider's page. */
export interface Mutation {
  readonly group: string;
  readonly name: string;
  /** @returns the mutated page; the same text if there is nothing to mutate */
  readonly mutate: (html: string) => string;
  /** The facts of the mutated page. @default unchanged */
  readonly truth?: (ends: Ends, mutated: string) => Ends;
}

/** Changes the document in place. */
export const onDocument =
  (change: (document: Tree.Document) => void) =>
  (html: string): string => {
    const document = parse(html);
    const before = serialize(document);
    change(document);
    const after = serialize(document);
    return after === before ? html : after;
  };

/** A table of ending models, with its columns by meaning. */
export interface ModelTable {
  readonly table: Tree.Element;
  readonly head: Tree.Element;
  readonly rows: readonly Tree.Element[];
  readonly model: number;
  readonly shutdown: number;
}

export function modelTables(document: Tree.Document): readonly ModelTable[] {
  return elementsOf(document, "table").flatMap((table) => {
    const [head, ...rows] = elementsOf(table, "tr");
    if (head === undefined) return [];
    const meanings = cellsOf(head).map((cell) => meaningOf(wordsIn(cell)));
    const model = meanings.indexOf("model");
    const shutdown = meanings.lastIndexOf("shutdown");
    return model === -1 || shutdown === -1 ? [] : [{ table, head, rows, model, shutdown }];
  });
}

export const wordsIn = (element: Tree.Element): string => plainText(wordsOf([element]));

/** The cells of a column, without its heading; a row shortened by a span has none. */
export function columnOf({ head, rows }: ModelTable, column: number): readonly Tree.Element[] {
  const width = cellsOf(head).length;
  return rows.flatMap((row) => {
    const cells = cellsOf(row);
    return cells.length === width ? (cells[column] ?? []) : [];
  });
}

export const setHtml = (element: Tree.Element, html: string): void =>
  replaceChildren(element, parseFragment(html).childNodes as Tree.Element[]);

/** Writes every plain day in the shutdown columns in another format. */
export const rewriteDays = (
  write: (day: CalendarDay, index: number) => string | null,
): Mutation["mutate"] =>
  onDocument((document) => {
    let index = 0;
    for (const table of modelTables(document)) {
      for (const cell of columnOf(table, table.shutdown)) {
        const { day } = readDateCell(wordsIn(cell), "month-first");
        const written = day === "" ? null : write(day, index++);
        if (written !== null) setHtml(cell, written);
      }
    }
  });

/** `2026-10-05` as [2026, 10, 5]. */
export const partsOf = (day: CalendarDay): readonly [number, number, number] => {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  return [year, month, date];
};

export const inEnglish = (day: CalendarDay, options: Intl.DateTimeFormatOptions): string =>
  new Date(day).toLocaleDateString("en-GB", { timeZone: "UTC", ...options });

/** Adds a cell before or after the others in every row of every table of models. */
export const addColumn = (
  heading: string,
  cell: (index: number, day: CalendarDay) => string,
  at: "first" | "last" = "last",
): Mutation["mutate"] =>
  onDocument((document) => {
    for (const table of modelTables(document)) {
      const width = cellsOf(table.head).length;
      const days = new Map(
        table.rows.map((row) => [
          row,
          readDateCell(wordsIn(cellsOf(row)[table.shutdown] ?? row), "month-first").day,
        ]),
      );
      for (const [index, row] of [table.head, ...table.rows].entries()) {
        const cells = cellsOf(row);
        if (cells.length !== width) continue;
        const html =
          index === 0 ? `<th>${heading}</th>` : `<td>${cell(index, days.get(row) ?? "")}</td>`;
        const added = elementsOf(
          parse(`<table><tr>${html}</tr></table>`),
          index === 0 ? "th" : "td",
        );
        replaceChildren(row, at === "first" ? [...added, ...cells] : [...cells, ...added]);
      }
    }
  });

/** The day this many days later. */
export const shift = (day: CalendarDay, days: number): CalendarDay =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
