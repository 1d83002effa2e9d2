import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { elementsOf, replaceChildren } from "../../providers/page-tree.ts";
import { type Mutation, onDocument, withEnd } from "../mutation.ts";

const id = "nova-9-pro";
const day = "2028-02-29";

/** Adds something at the end of the page. `ID` and `DAY` stand for a new model and its end. */
export const append = (html: string): Mutation["mutate"] =>
  onDocument((document) => {
    const words = html.replaceAll("ID", id).replaceAll("DAY", "February 29, 2028");
    const [added] = elementsOf(parse(`<body>${words}</body>`), "body");
    const [body] = elementsOf(document, "body");
    if (added === undefined || body === undefined) return;
    replaceChildren(body, [...body.childNodes, ...added.childNodes] as Tree.Element[]);
  });

const section = (name: string, html: string): Mutation => ({
  group: "added sections",
  name,
  mutate: append(html),
  truth: (ends) => withEnd(ends, [id], day),
});
const table = (head: string, ...rows: readonly string[]): string => {
  const row = (tag: string, cells: string): string =>
    `<tr>${cells
      .split("|")
      .map((cell) => `<${tag}>${cell}</${tag}>`)
      .join("")}</tr>`;
  return `<table><thead>${row("th", head)}</thead><tbody>${rows.map((cells) => row("td", cells)).join("")}</tbody></table>`;
};
const heading = "<h2>Upcoming retirement of Nova models</h2>";
const code = "<code>ID</code>";

export const addedSectionMutations: readonly Mutation[] = [
  section("a sentence", `<p>${code} will be retired on DAY.</p>`),
  section("a sentence under a heading", `${heading}<p>On DAY we will shut down ${code}.</p>`),
  section(
    "a sentence that begins with a day",
    `<p>Effective DAY, ${code} is no longer available.</p>`,
  ),
  section("a sentence without code", `<p>The model ID reaches its end of life on DAY.</p>`),
  section(
    "a warning box",
    `<div class="warning"><p><strong>Warning</strong></p><p>${code} is deprecated and shuts down on DAY.</p></div>`,
  ),
  section("a quotation", `<blockquote><p>${code} will be discontinued on DAY.</p></blockquote>`),
  section("a box in one line", `<aside>Deprecation notice: ${code} sunsets DAY</aside>`),
  section("a list with days", `${heading}<ul><li>${code}: DAY</li></ul>`),
  section(
    "a list under a sentence",
    `<p>These models retire on DAY:</p><ul><li>${code} (DAY)</li></ul>`,
  ),
  section("a numbered list", `${heading}<ol><li>DAY – ${code}</li></ol>`),
  section(
    "a nested list",
    `${heading}<ul><li>DAY<ul><li>${code} retires on DAY</li></ul></li></ul>`,
  ),
  section("a table: Effective date", heading + table("Model|Effective date", `${code}|DAY`)),
  section(
    "a table: What, When",
    heading + table("What|When|Use instead", `${code}|DAY|<code>nova-10</code>`),
  ),
  section("a table: Date", heading + table("Date|Model|Notes", `DAY|${code}|`)),
  section("a table: Model, Day", heading + table("Model|Day", `${code}|DAY`)),
  section("a table: Affected", heading + table("Affected|From", `${code}|DAY`)),
  section("a table: Milestone", heading + table("Milestone|Date", `${code} removed|DAY`)),
  section(
    "a table without headings",
    `${heading}<table><tr><td>${code}</td><td>DAY</td></tr></table>`,
  ),
  section("a table on its side", heading + table(`Model|${code}`, "Shutdown date|DAY")),
  section("a table as others have it", heading + table("Model|Shutdown date", `${code}|DAY`)),
  section("a table in another language", heading + table("Modell|Abschaltdatum", `${code}|DAY`)),
  section("cards", `${heading}<div><div>${code}</div><div>Retires</div><div>DAY</div></div>`),
  section(
    "cards with labels",
    `${heading}<div><div>Model</div><div>${code}</div><div>End of life</div><div>DAY</div></div>`,
  ),
  section("a definition list", `${heading}<dl><dt>${code}</dt><dd>DAY</dd></dl>`),
  section(
    "a definition list with a sentence",
    `${heading}<dl><dt>${code}</dt><dd>Shuts down on DAY.</dd></dl>`,
  ),
  section("a heading", `<h2>${code} retires on DAY</h2><p>Thank you for using it.</p>`),
  section(
    "a folded part",
    `<details><summary>Retiring soon</summary><p>${code} retires on DAY</p></details>`,
  ),
  section(
    "a figure's caption",
    `<figure><figcaption>${code} will be shut down on DAY</figcaption></figure>`,
  ),
  section("a banner", `<header><p>Heads up: ${code} shuts down DAY!</p></header>`),
  ...[
    `We will phase out ${code} on DAY.`,
    `${code} will cease to work on DAY.`,
    `Access to ${code} ends on DAY.`,
    `${code} goes away on DAY.`,
    `The last day of ${code} is DAY.`,
    `${code} EOL: DAY`,
    `${code} will be unavailable from DAY.`,
    `On DAY we say goodbye to ${code}.`,
    `${code} is deprecated. It will be shut down on DAY.`,
  ].map((text) => section(text, `<p>${text}</p>`)),
  section(
    "a list of properties",
    `${heading}<ul><li><b>ID</b><ul><li>Status: deprecated</li><li>Shutdown: DAY</li></ul></li></ul>`,
  ),
];
