import { parse, parseFragment, serialize, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { meaningOf } from "../../src/extraction/columns.ts";
import { readDateCell } from "../../src/extraction/date-cells.ts";
import { plainText, wordsOf } from "../../src/extraction/words.ts";
import type { CalendarDay } from "../../src/notice/notice.ts";
import { cellsOf, elementsOf, replaceChildren } from "../providers/page-tree.ts";

/** The models' ends, as a reader of the mutated page would understand it. */
export type Ends = ReadonlyMap<string, End>;

export interface End {
  readonly deprecation_date: CalendarDay;
  readonly shutdown_date: CalendarDay;
}

/** In place of a date: the page gives none that a reader could be sure of. */
export const unclear = "unclear";
/** For redesigns that take all exact dates off the page, in a way that leaves room for doubt. */
export const withoutShutdowns = (ends: Ends): Ends =>
  new Map([...ends].map(([id, end]) => [id, { ...end, shutdown_date: unclear }]));

/** A plausible redesign of a provider's page. */
export interface Mutation {
  readonly group: string;
  readonly name: string;
  /** @returns the mutated page; the same text if there is nothing to mutate */
  readonly mutate: (html: string, ends: Ends) => string;
  /** The facts of the mutated page. @default unchanged */
  readonly truth?: (ends: Ends, html: string) => Ends;
  /** Whether a first run, which knows no earlier page, can notice it. @default true */
  readonly isKnowable?: boolean;
}

/** Changes the document in place. */
export const onDocument =
  (change: (document: Tree.Document, ends: Ends) => void) =>
  (html: string, ends: Ends): string => {
    const document = parse(html);
    const before = serialize(document);
    change(document, ends);
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

/** The row that mutations of one row change: the first whose model ends on a day to come, or else on any day. */
export interface Target {
  readonly model: Tree.Element;
  readonly date: Tree.Element;
  readonly day: CalendarDay;
  readonly ids: readonly string[];
}

/** The day on which mutated pages are read. */
export const today = "2026-08-21";

export function targetIn(document: Tree.Document, ends: Ends): Target | undefined {
  const targets = modelTables(document).flatMap(({ head, rows, model, shutdown }) =>
    rows.flatMap((row): readonly Target[] => {
      const cells = cellsOf(row);
      const [id, date] = [cells[model], cells[shutdown]];
      if (cells.length !== cellsOf(head).length || id === undefined || date === undefined)
        return [];
      const { day } = readDateCell(wordsIn(date), "month-first");
      const words = wordsIn(id).split(/[\s,|]+/);
      const ids = [...ends].filter(
        ([key, end]) => words.includes(key) && end.shutdown_date === day,
      );
      return day === "" || ids.length === 0
        ? []
        : [{ model: id, date, day, ids: ids.map(([key]) => key) }];
    }),
  );
  return targets.find(({ day }) => day > today) ?? targets[0];
}

/** The ends with another one for some models; null: they have none. */
export const withEnd = (ends: Ends, ids: readonly string[], shutdown_date: CalendarDay): Ends =>
  new Map([
    ...ends,
    ...ids.map((id) => [id, { deprecation_date: "", ...ends.get(id), shutdown_date }] as const),
  ]);
