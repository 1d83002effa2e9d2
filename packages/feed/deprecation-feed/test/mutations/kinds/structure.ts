import { serialize, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { cellsOf, elementsOf, replaceChildren } from "../../providers/page-tree.ts";
import { columnOf, type Mutation, modelTables, onDocument, setHtml, wordsIn } from "../mutation.ts";

const structure = (name: string, change: (document: Tree.Document) => void): Mutation => ({
  group: "structure",
  name,
  mutate: onDocument(change),
});
/** Turns models with their rows into elements of another kind. */
const asElements = (
  name: string,
  write: (cells: readonly string[], head: readonly string[]) => string,
  around: (rows: string) => string,
): Mutation =>
  structure(name, (document) => {
    for (const { table, head, rows } of modelTables(document)) {
      const heads = cellsOf(head).map(wordsIn);
      const html = rows
        .map((row) =>
          write(
            cellsOf(row).map((cell) => serialize(cell)),
            heads,
          ),
        )
        .join("");
      table.tagName = "div";
      table.nodeName = "div";
      setHtml(table, around(html));
    }
  });

const ids =
  (change: (cell: Tree.Element, text: string) => void) =>
  (document: Tree.Document): void => {
    for (const table of modelTables(document))
      for (const cell of columnOf(table, table.model)) change(cell, wordsIn(cell));
  };

export const structureMutations: readonly Mutation[] = [
  structure("headings a level deeper", (document) => {
    for (const [from, to] of [
      ["h4", "h5"],
      ["h3", "h4"],
      ["h2", "h3"],
    ] as const)
      for (const element of elementsOf(document, from)) {
        element.tagName = to;
        element.nodeName = to;
      }
  }),
  structure("headings as bold paragraphs", (document) => {
    for (const element of elementsOf(document, "h3")) {
      setHtml(element, `<strong>${wordsIn(element)}</strong>`);
      element.tagName = "p";
      element.nodeName = "p";
    }
  }),
  structure("tables in tabs", (document) => {
    for (const { table } of modelTables(document)) {
      const wrapped = serialize(table);
      table.tagName = "div";
      table.nodeName = "div";
      setHtml(table, `<div role="tabpanel" hidden><table>${wrapped}</table></div>`);
    }
  }),
  structure(
    "a copy button beside every id",
    ids((cell, text) => setHtml(cell, `<span>${text}</span><button>Copy</button>`)),
  ),
  structure(
    "a badge beside every id",
    ids((cell, text) => setHtml(cell, `${text} <span class="badge">Deprecated</span>`)),
  ),
  structure(
    "every id in a link",
    ids((cell, text) => setHtml(cell, `<a href="/about/x-${text.length}">${text}</a>`)),
  ),
  structure(
    "every id in capitals",
    ids((cell, text) => setHtml(cell, text.toUpperCase())),
  ),
  structure(
    "names in place of ids",
    ids((cell, text) =>
      setHtml(
        cell,
        text.replaceAll("-", " ").replace(/^./, (first) => first.toUpperCase()),
      ),
    ),
  ),
  structure(
    "soft breaks in ids",
    ids((cell, text) => setHtml(cell, text.replaceAll("-", "-<wbr>"))),
  ),
  {
    ...structure("only half of the rows", (document) => {
      for (const { table, rows } of modelTables(document)) {
        const body = rows[0]?.parentNode;
        if (rows.length < 6 || body == null || body === table) continue;
        replaceChildren(body as Tree.Element, rows.slice(0, Math.ceil(rows.length / 2)));
      }
    }),
    isKnowable: false,
  },
  asElements(
    "rows as cards",
    (cells, head) =>
      `<div class="card">${cells.map((cell, index) => `<div><b>${head[index]}</b></div><div>${cell}</div>`).join("")}</div>`,
    (rows) => rows,
  ),
  asElements(
    "rows as a definition list",
    (cells) =>
      `<dt>${cells[0]}</dt>${cells
        .slice(1)
        .map((cell) => `<dd>${cell}</dd>`)
        .join("")}`,
    (rows) => `<dl>${rows}</dl>`,
  ),
  asElements(
    "rows as a list",
    (cells) => `<li>${cells.join(" – ")}</li>`,
    (rows) => `<ul>${rows}</ul>`,
  ),
  structure("tables on their side", (document) => {
    for (const { table, head, rows } of modelTables(document)) {
      const grid = [head, ...rows].map((row) => cellsOf(row).map((cell) => serialize(cell)));
      const width = cellsOf(head).length;
      setHtml(
        table,
        Array.from(
          { length: width },
          (_, x) =>
            `<tr>${grid.map((row, y) => (y === 0 ? `<th>${row[x] ?? ""}</th>` : `<td>${row[x] ?? ""}</td>`)).join("")}</tr>`,
        ).join(""),
      );
    }
  }),
];
