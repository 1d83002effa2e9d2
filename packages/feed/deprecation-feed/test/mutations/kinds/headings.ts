import { cellsOf, replaceChildren } from "../../providers/page-tree.ts";
import { type Mutation, modelTables, onDocument, setHtml } from "../mutation.ts";

const headings = (name: string, column: "model" | "shutdown", text: string): Mutation => ({
  group: "headings",
  name,
  mutate: onDocument((document) => {
    for (const table of modelTables(document)) {
      const cell = cellsOf(table.head)[table[column]];
      if (cell !== undefined) setHtml(cell, text);
    }
  }),
});

/** Changes only the first table of the page, which is often the newest. */
const firstTable = (
  name: string,
  change: (table: ReturnType<typeof modelTables>[number]) => void,
): Mutation => ({
  group: "headings",
  name,
  mutate: onDocument((document) => {
    const [table] = modelTables(document);
    if (table !== undefined) change(table);
  }),
});

export const headingMutations: readonly Mutation[] = [
  headings("shutdown date: Date", "shutdown", "Date"),
  headings("shutdown date: Key date", "shutdown", "Key date"),
  headings("shutdown date: Offline from", "shutdown", "Offline from"),
  headings("shutdown date: Timeline", "shutdown", "Timeline"),
  headings("shutdown date: End of availability", "shutdown", "End of availability"),
  headings("model: Name", "model", "Name"),
  headings("model: Deployment", "model", "Deployment"),
  headings("model: Identifier", "model", "Identifier"),
  headings("model: What", "model", "What"),
  firstTable("the first table's date: Date", (table) => {
    const cell = cellsOf(table.head)[table.shutdown];
    if (cell !== undefined) setHtml(cell, "Date");
  }),
  firstTable("the first table without headings", ({ head }) => replaceChildren(head, [])),
  firstTable("the first table's model: Item", (table) => {
    const cell = cellsOf(table.head)[table.model];
    if (cell !== undefined) setHtml(cell, "Item");
  }),
];
