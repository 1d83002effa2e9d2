import { serialize } from "parse5";
import { cellsOf, replaceChildren } from "../../providers/page-tree.ts";
import {
  addColumn,
  type Mutation,
  modelTables,
  onDocument,
  setHtml,
  shift,
  withoutShutdowns,
} from "../mutation.ts";

const column = (name: string, mutate: Mutation["mutate"]): Mutation => ({
  group: "columns",
  name,
  mutate,
});
export const columnMutations: readonly Mutation[] = [
  column(
    "reversed",
    onDocument((document) => {
      for (const { head, rows } of modelTables(document)) {
        const width = cellsOf(head).length;
        if (rows.some((row) => cellsOf(row).length !== width)) continue;
        for (const row of [head, ...rows]) replaceChildren(row, [...cellsOf(row)].reverse());
      }
    }),
  ),
  column(
    "a number first",
    addColumn("#", (index) => String(index), "first"),
  ),
  column(
    "a release date",
    addColumn("Release date", (_index, day) => (day === "" ? "2024-01-01" : shift(day, -700))),
  ),
  column(
    "last updated",
    addColumn("Last updated", () => "2026-08-01"),
  ),
  column(
    "notes with a date",
    addColumn("Notes", () => "See the changelog of March 3, 2026"),
  ),
  column(
    "context window",
    addColumn("Context window", () => "128k"),
  ),
  column(
    "last day to fine-tune",
    addColumn("Last day to fine-tune", (_index, day) => (day === "" ? "" : shift(day, -90))),
  ),
  column(
    "free tier ends",
    addColumn("Free tier ends", (_index, day) => (day === "" ? "" : shift(day, -120))),
  ),
  column(
    "discount expires",
    addColumn("Discount expires", (_index, day) => (day === "" ? "" : shift(day, -30)), "first"),
  ),
  column(
    "training retirement",
    addColumn("Training retirement date", (_index, day) => (day === "" ? "" : shift(day, -60))),
  ),
  {
    group: "columns",
    name: "no date column",
    truth: withoutShutdowns,
    mutate: onDocument((document) => {
      for (const table of modelTables(document))
        for (const row of [table.head, ...table.rows])
          replaceChildren(
            row,
            cellsOf(row).filter((_, index) => index !== table.shutdown),
          );
    }),
  },
  column(
    "date beside the model",
    onDocument((document) => {
      for (const table of modelTables(document))
        for (const row of table.rows) {
          const cells = cellsOf(row);
          const [model, date] = [cells[table.model], cells[table.shutdown]];
          if (model === undefined || date === undefined) continue;
          setHtml(model, `${serialize(model)} (until ${serialize(date)})`);
          setHtml(date, "");
        }
    }),
  ),
];
