import { parse } from "parse5";
import { cellsOf, elementsOf, replaceChildren } from "../../providers/page-tree.ts";
import { type Mutation, modelTables, onDocument, targetIn, withEnd } from "../mutation.ts";

const id = "nova-9-pro";
const day = "2028-02-29";

/** A row for a new model at the start of the first table with dates. */
const addedRow = (name: string, model: string, date = "February 29, 2028"): Mutation => ({
  group: "added rows",
  name,
  mutate: onDocument((document, ends) => {
    const target = targetIn(document, ends);
    const table = modelTables(document).find(({ rows }) =>
      rows.some((row) => cellsOf(row).some((cell) => cell === target?.date)),
    );
    const body = table?.rows[0]?.parentNode;
    if (table === undefined || body == null || !("tagName" in body)) return;
    const cells = cellsOf(table.head).map((_, index) =>
      index === table.model ? model : index === table.shutdown ? date : "",
    );
    const html = `<table><tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr></table>`;
    const [row] = elementsOf(parse(html), "tr");
    const rows = elementsOf(body, "tr");
    const at = rows[0] === table.head ? 1 : 0;
    if (row !== undefined) replaceChildren(body, [...rows.slice(0, at), row, ...rows.slice(at)]);
  }),
  truth: (ends, page) =>
    targetIn(parse(page), ends) === undefined ? ends : withEnd(ends, [id], day),
});

const code = `<code>${id}</code>`;

export const addedRowMutations: readonly Mutation[] = [
  addedRow("code", code),
  addedRow("plain", id),
  addedRow("a badge", `${code} <strong>New</strong>`),
  addedRow("a badge without code", `${id} <span>Deprecated</span>`),
  addedRow("a name with the id", `Nova 9 Pro (${code})`),
  addedRow("a name with the plain id", `Nova 9 Pro (${id})`),
  addedRow("the id under a name", `Nova 9 Pro<br>${code}`),
  addedRow("the id under a name, in paragraphs", `<p>Nova 9 Pro</p><p>${id}</p>`),
  addedRow("a description", `${code} – reasoning model`),
  addedRow("a description in parentheses", `${code} (our largest model)`),
  addedRow("all its snapshots", `${code} and all its snapshots`),
  addedRow("an emoji", `🆕 ${code}`),
  addedRow("a link", `<a href="/about">${id}</a>`),
  addedRow("a copy button", `${code}<button>Copy</button>`),
  addedRow("a footnote", `${code}<sup>1</sup>`),
  addedRow("a star", `${id}*`),
  addedRow("bold", `<b>${id}</b>`),
  addedRow("a soft break", id.replaceAll("-", "-<wbr>")),
  addedRow("another date format", code, "29 Feb 2028"),
  addedRow("an ISO date", code, day),
  addedRow("a time element", code, `<time datetime="${day}">in two years</time>`),
  addedRow("a date with a time", code, "February 29, 2028, 10:00 UTC"),
  addedRow("a date with other words", code, "February 29, 2028 unless extended"),
  addedRow("a wildcard", "<code>nova-9-pro*</code> and <code>nova-9-pro-*</code>"),
  addedRow("a use of the model", `Batch requests with ${code}`),
  addedRow("a sentence", `${code} will leave the API`),
];
