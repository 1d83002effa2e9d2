import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { elementsOf, replaceChildren } from "../../providers/page-tree.ts";
import { type Mutation, onDocument } from "../mutation.ts";

/** Adds a table about something else, under its own heading and sentence. */
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

export const otherTableMutations: readonly Mutation[] = [
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
];
