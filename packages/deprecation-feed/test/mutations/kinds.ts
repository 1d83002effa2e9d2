import { parse, serialize, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { cellsOf, elementsOf, replaceChildren, textsIn } from "../providers/page-tree.ts";
import {
  addColumn,
  columnOf,
  inEnglish,
  type Mutation,
  modelTables,
  onDocument,
  partsOf,
  rewriteDays,
  setHtml,
  shift,
  wordsIn,
} from "./mutation.ts";

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

/** Only the first table of the page, which is often the newest. */
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

const inLanguage = (name: string, words: Readonly<Record<string, string>>): Mutation => ({
  group: "languages",
  name,
  mutate: onDocument((document) => {
    for (const text of [
      ...textsIn(document, "th"),
      ...textsIn(document, "h2"),
      ...textsIn(document, "h3"),
    ])
      for (const [word, other] of Object.entries(words))
        text.value = text.value.replace(new RegExp(word, "gi"), other);
  }),
});

const column = (name: string, mutate: Mutation["mutate"]): Mutation => ({
  group: "columns",
  name,
  mutate,
});
const dates = (name: string, mutate: Mutation["mutate"], truth?: Mutation["truth"]): Mutation => ({
  group: "dates",
  name,
  mutate,
  ...(truth === undefined ? {} : { truth }),
});
const structure = (name: string, change: (document: Tree.Document) => void): Mutation => ({
  group: "structure",
  name,
  mutate: onDocument(change),
});
const broken = (name: string, mutate: Mutation["mutate"]): Mutation => ({
  group: "broken pages",
  name,
  mutate,
});

/** A table of something else, under a heading and a sentence of its own. */
const otherTable = (
  name: string,
  heading: string,
  sentence: string,
  head: string,
  ...cells: string[]
): Mutation => ({
  group: "other tables",
  name,
  mutate: onDocument((document) => {
    const rows = cells.map(
      (row) =>
        `<tr>${row
          .split("|")
          .map((cell) => `<td>${cell}</td>`)
          .join("")}</tr>`,
    );
    const table = `<table><thead><tr>${head
      .split("|")
      .map((cell) => `<th>${cell}</th>`)
      .join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
    const title = heading === "" ? "" : `<h2>${heading}</h2>`;
    const added = elementsOf(parse(`<body>${title}<p>${sentence}</p>${table}</body>`), "body")[0];
    const body = elementsOf(document, "body")[0];
    if (added === undefined || body === undefined) return;
    replaceChildren(body, [...body.childNodes, ...added.childNodes] as Tree.Element[]);
  }),
});

/** Models with their rows, as elements of another kind. */
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

const newDay = "2028-02-29";
const onFirstDay = (write: (day: string) => string) =>
  rewriteDays((day, index) => (index === 0 ? write(day) : null));
/** The page says another day for the model of the first date; which that is, its row says. */
const firstDayMoved: Mutation["truth"] = (ends, mutated) => {
  const row = modelTables(parse(mutated))
    .flatMap(({ rows }) => rows)
    .find((found) => wordsIn(found).includes("29"));
  const words = row === undefined ? "" : wordsIn(row);
  const named = [...ends.keys()].filter((id) =>
    new RegExp(`(?<![\\w.-])${id.replace(/[.+()]/g, "\\$&")}(?![\\w-])`).test(words),
  );
  return new Map(
    [...ends].map(([id, end]) => [
      id,
      named.includes(id) ? { ...end, shutdown_date: newDay } : end,
    ]),
  );
};
const cut =
  (part: number) =>
  (html: string): string =>
    html.slice(0, Math.floor(html.length * part));

export const mutations: readonly Mutation[] = [
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
  inLanguage("German", {
    "shut-?down date|retirement date|EOL date|retirement": "Abschaltdatum",
    "recommended replacement|replacement": "Ersatz",
    models: "Modelle",
    model: "Modell",
  }),
  inLanguage("French", {
    "shut-?down date|retirement date|EOL date|retirement": "Date d’arrêt",
    "recommended replacement|replacement": "Remplacement",
    models: "Modèles",
    model: "Modèle",
  }),
  inLanguage("Japanese", {
    "shut-?down date|retirement date|EOL date|retirement": "提供終了日",
    "recommended replacement|replacement": "代替モデル",
    models: "モデル",
    model: "モデル",
  }),
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
  column(
    "no date column",
    onDocument((document) => {
      for (const table of modelTables(document))
        for (const row of [table.head, ...table.rows])
          replaceChildren(
            row,
            cellsOf(row).filter((_, index) => index !== table.shutdown),
          );
    }),
  ),
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
  dates(
    "ISO",
    rewriteDays((day) => day),
  ),
  dates(
    "23 October 2026",
    rewriteDays((day) => inEnglish(day, { dateStyle: "long" })),
  ),
  dates(
    "Friday, 23 October 2026",
    rewriteDays((day) => inEnglish(day, { dateStyle: "full" })),
  ),
  dates(
    "23.10.2026",
    rewriteDays((day) => partsOf(day).toReversed().join(".")),
  ),
  dates(
    "23/10/2026",
    rewriteDays((day) => partsOf(day).toReversed().join("/")),
  ),
  dates(
    "10/23/2026",
    rewriteDays((day) => {
      const [year, month, date] = partsOf(day);
      return `${month}/${date}/${year}`;
    }),
  ),
  dates(
    "20261023",
    rewriteDays((day) => day.replaceAll("-", "")),
  ),
  dates(
    "2026年10月23日",
    rewriteDays((day) => {
      const [year, month, date] = partsOf(day);
      return `${year}年${month}月${date}日`;
    }),
  ),
  dates(
    "a month only",
    rewriteDays((day) => inEnglish(day, { month: "long", year: "numeric" })),
  ),
  dates(
    "Q4 2026",
    rewriteDays((day) => {
      const [year, month] = partsOf(day);
      return `Q${Math.ceil(month / 3)} ${year}`;
    }),
  ),
  dates(
    "time elements with relative words",
    rewriteDays((day) => `<time datetime="${day}">in 3 months</time>`),
  ),
  dates(
    "time elements with ambiguous words",
    rewriteDays((day) => {
      const [year, month, date] = partsOf(day);
      return `<time datetime="${day}T00:00:00Z">${date}/${month}/${year % 100}</time>`;
    }),
  ),
  dates(
    "relative words",
    rewriteDays(() => "in 3 months"),
  ),
  dates(
    "the first is extended",
    onFirstDay((day) => `${inEnglish(day, { dateStyle: "long" })}, extended to 29 February 2028`),
    firstDayMoved,
  ),
  dates(
    "the first is postponed",
    onFirstDay((day) => `${day} (postponed until February 29, 2028)`),
    firstDayMoved,
  ),
  dates(
    "the first is struck out",
    onFirstDay((day) => `<del>${day}</del> 2028-02-29`),
    firstDayMoved,
  ),
  dates(
    "the first has moved",
    onFirstDay(() => "29 February 2028"),
    firstDayMoved,
  ),
  dates(
    "the first at another time zone",
    onFirstDay((day) => `${day}T23:59:00-08:00`),
  ),
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
    ids((cell, text) => setHtml(cell, `<a href="/models/x-${text.length}">${text}</a>`)),
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
  structure("only half of the rows", (document) => {
    for (const { table, rows } of modelTables(document)) {
      const body = rows[0]?.parentNode;
      if (rows.length < 2 || body == null || body === table) continue;
      replaceChildren(body as Tree.Element, rows.slice(0, Math.ceil(rows.length / 2)));
    }
  }),
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
  otherTable(
    "free tiers",
    "Free tier",
    "These models leave the free tier:",
    "Model|Free tier ends",
    "acme-7-pro|2026-09-01",
    "acme-7-mini|2026-10-01",
  ),
  otherTable(
    "free tiers without a heading",
    "",
    "The free tier of these models ends.",
    "Model|End date",
    "acme-7-pro|2026-09-01",
  ),
  otherTable(
    "discounts",
    "Launch discounts",
    "Prices rise afterwards.",
    "Model|Discount expires",
    "acme-7-pro|2026-09-01",
  ),
  otherTable(
    "limits",
    "Rate limits",
    "Limits for new models.",
    "Model|Temporary limit removed on",
    "acme-7-pro|2026-09-01",
  ),
  otherTable(
    "fine-tuning deadlines",
    "Fine-tuning",
    "No new jobs afterwards.",
    "Base model|Last day to fine-tune",
    "acme-7-pro|2026-09-01",
  ),
  otherTable(
    "versions of the API",
    "API versions",
    "Versions of the API end as well.",
    "Name|Deprecated|Retirement date",
    "2024-02-01-preview|2026-01-01|2026-09-01",
    "assistants-v2|2026-01-01|2026-09-01",
  ),
  otherTable(
    "versions of SDKs",
    "SDK versions",
    "Update in time.",
    "Name|End of support",
    "acme-sdk-1.4|2026-09-01",
  ),
  otherTable(
    "active models",
    "Current models",
    "Everything else works.",
    "Model|Context window|Released",
    "acme-7-pro|128k|2026-01-01",
  ),
  otherTable("prices", "Prices", "Per million tokens.", "Model|Input|Output", "acme-7-pro|$1|$2"),
  broken("cut after half", cut(0.5)),
  broken("cut after 70 %", cut(0.7)),
  broken("cut after 80 %", cut(0.8)),
  broken("cut after 90 %", cut(0.9)),
  broken("cut after 97 %", cut(0.97)),
  broken("empty", () => ""),
  broken(
    "a login",
    () => "<!doctype html><html><body><h1>Sign in</h1><form><input></form></body></html>",
  ),
  broken(
    "a page that needs JavaScript",
    () =>
      "<!doctype html><html><body><div id=root></div><noscript>Enable JavaScript</noscript></body></html>",
  ),
  broken(
    "a page that has moved",
    () =>
      "<h1>This page has moved</h1><p>Models are deprecated on <a href='/new'>another page</a>.</p>",
  ),
];
