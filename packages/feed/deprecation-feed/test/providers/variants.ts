import { defaultTreeAdapter, parse, serialize, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { isText } from "../../src/extraction/elements.ts";
import { cellsOf, elementsOf, regularTables, replaceChildren, textsIn } from "./page-tree.ts";

/** Changes to a page that do not change its meaning. Each `seed` makes them differently. */
export type Variant = (document: Tree.Document, seed: number) => void;

/** The page after a variant, as HTML. */
export function vary(html: string, variant: Variant, seed: number): string {
  const document = parse(html);
  variant(document, seed);
  return serialize(document);
}

export const permuteColumns: Variant = (document, seed) => {
  for (const [index, table] of regularTables(document).entries()) {
    const rows = elementsOf(table, "tr");
    const width = cellsOf(rows[0]).length;
    const order = orderOf(width, seed + index);
    for (const row of rows) {
      const cells = cellsOf(row);
      replaceChildren(
        row,
        order.flatMap((column) => cells[column] ?? []),
      );
    }
  }
};

export const shuffleRows: Variant = (document, seed) => {
  for (const [index, body] of elementsOf(document, "tbody").entries()) {
    if (!regularTables(document).some((table) => table === body.parentNode)) continue;
    const rows = elementsOf(body, "tr");
    const hasHead = elementsOf(body, "th").length > 0;
    if (hasHead) continue;
    replaceChildren(
      body,
      orderOf(rows.length, seed + index).flatMap((row) => rows[row] ?? []),
    );
  }
};

/** Inserts tables that list no ending models, one before every heading and table. */
export const insertTables: Variant = (document, seed) => {
  const places = ["h2", "h3", "h4", "table"].flatMap((tag) => elementsOf(document, tag));
  for (const [index, place] of places.entries()) {
    const html = unrelatedTables[(seed + index) % unrelatedTables.length] ?? "";
    const table = elementsOf(parse(html), "table")[0];
    const parent = place.parentNode;
    if (table === undefined || parent === null) continue;
    defaultTreeAdapter.insertBefore(parent, table, place);
  }
};

export const spaceOut: Variant = (document, seed) => {
  const spaces = [" ", "\n  ", "\u00A0", "\t", "\u200B"];
  for (const [index, cell] of [
    ...elementsOf(document, "td"),
    ...elementsOf(document, "th"),
  ].entries()) {
    const space = spaces[(seed + index) % spaces.length] ?? " ";
    for (const text of cell.childNodes.filter(isText)) text.value = `${space}${text.value}${space}`;
  }
};

export const changeDashes: Variant = (document, seed) => {
  const dashes = ["\u2010", "\u2011", "\u2012", "\u2013", "\u2212"];
  for (const [index, text] of textsIn(document, "td").entries()) {
    const dash = dashes[(seed + index) % dashes.length] ?? "-";
    text.value = text.value.replace(/(?<=\w)-(?=\w)/g, dash);
  }
};

export const rewordHeadings: Variant = (document, seed) => {
  for (const [index, text] of textsIn(document, "th").entries()) {
    const words = wordings.find((group) => group.includes(text.value.trim()));
    text.value = words?.[(seed + index) % words.length] ?? text.value;
  }
};

const wordings: readonly (readonly string[])[] = [
  ["Shutdown date", "Shutdown Date", "Shut-down date", "Turned off on", "Available until", "EOL"],
  ["Retirement date", "Retirement date (UTC)", "Retirement", "Retires on", "End-of-life date"],
  ["EOL date", "End of life", "Removal date", "Sunset"],
  ["Legacy date", "Legacy date (UTC)", "Legacy since", "Deprecation date", "Deprecated on"],
  ["Deprecation", "Deprecated", "Deprecation date (UTC)"],
  [
    "Recommended replacement",
    "Replacement",
    "Successor",
    "Alternative",
    "Substitute model",
    "Use instead",
  ],
  ["Suggested replacement model", "Recommended upgrade", "Replacement model", "Recommended model"],
  ["Model", "Model ID", "Model identifier", "Models", "Model / system", "Model snapshot"],
  ["Deprecated model", "Deprecated Model", "Retired model", "Legacy model", "Model being retired"],
];

const unrelatedTables: readonly string[] = [
  table(["Parameter", "Status", "Recommended replacement"], ["top_k", "Deprecated", "top_p"]),
  table(["Feature", "Shutdown date"], ["Code interpreter", "2026-09-01"]),
  table(["Model", "Input price", "Output price"], ["gpt-9-mini", "$1.00", "$2.00"]),
  table(["Model", "Context window", "Release date"], ["gpt-9-mini", "128k", "2026-01-01"]),
  table(
    ["Endpoint", "Shutdown date", "Recommended replacement"],
    ["/v1/edits", "2026-09-01", "/v1/x"],
  ),
  table(["Date", "Update"], ["Sept 1, 2026", "gpt-9-mini is faster now."]),
  table(["Model", "Recommended for", "Region"], ["gpt-9-mini", "Short answers", "eu-west-1"]),
  table(["Model / system", "Shutdown date"], ["Batch API", "2026-09-01"]),
];

function table(headings: readonly string[], cells: readonly string[]): string {
  const row = (tag: string, texts: readonly string[]): string =>
    `<tr>${texts.map((text) => `<${tag}>${text}</${tag}>`).join("")}</tr>`;
  return `<table><thead>${row("th", headings)}</thead><tbody>${row("td", cells)}</tbody></table>`;
}

/** A permutation of `0 … length - 1`, determined by the seed. */
function orderOf(length: number, seed: number): readonly number[] {
  const key = (index: number): number => Math.imul(seed * 31 + index + 1, 0x9e3779b1) >>> 0;
  return Array.from({ length }, (_, index) => index).sort((a, b) => key(a) - key(b));
}
