import type { Mutation } from "../mutation.ts";
import { append } from "./added-sections.ts";

const table = (head: string, ...rows: readonly string[]): string => {
  const row = (tag: string, cells: string): string =>
    `<tr>${cells
      .split("|")
      .map((cell) => `<${tag}>${cell}</${tag}>`)
      .join("")}</tr>`;
  return `<table><thead>${row("th", head)}</thead><tbody>${rows.map((cells) => row("td", cells)).join("")}</tbody></table>`;
};

/** Something else than a model ends: nothing of it may be published. */
const other = (name: string, html: string): Mutation => ({
  group: "other things",
  name,
  mutate: append(html),
});

const model = "<code>acme-7-pro</code>";

export const otherThingMutations: readonly Mutation[] = [
  other(
    "batch support",
    `<h2>Batch</h2>${table("Model|Batch support ends", `${model}|2026-12-01`)}`,
  ),
  other("batch support under models", table("Model|Batch support ends", `${model}|2026-12-01`)),
  other("a playground", table("Model|Removed from playground on", `${model}|2026-12-01`)),
  other("a label", table("Model|Preview label removed", `${model}|2026-12-01`)),
  other("a beta program", table("Model|Beta program ends", `${model}|2026-12-01`)),
  other("a beta", `<h2>Betas</h2>${table("Model|Beta ends", `${model}|2026-12-01`)}`),
  other("logs", table("Model|Logs removed on", `${model}|2026-12-01`)),
  other("certificates", `<h2>Certificates</h2>${table("Name|Expires on", "ca-root-2|2026-12-01")}`),
  other("events", `<h2>Events</h2>${table("Name|End date", "devday-2027|2027-10-01")}`),
  other(
    "cookies",
    `<h2>Cookies</h2>${table("Name|Provider|Expiry", "_ga_1|Google|2027-10-01", "cf-bm-2|Cloudflare|2027-10-01")}`,
  ),
  other("keys", `<h2>Keys</h2>${table("Name|Expires", "key-1|2027-10-01")}`),
  other("plans", table("Plan|End date", "team-2024|2027-10-01")),
  other("cached prompts", table("Model|Cache entries expire", `${model}|2027-10-01`)),
  other("regions", table("Model|Leaves eu-west-1 on", `${model}|2027-10-01`)),
  other("price changes", table("Model|New price from", `${model}|2027-10-01`)),
  other("support hours", table("Model|Phone support ends", `${model}|2027-10-01`)),
  other("a dataset", `<h2>Datasets</h2>${table("Name|Removal date", "set-2024-1|2027-10-01")}`),
  other(
    "libraries",
    `<h2>Libraries</h2>${table("Package|End of support", "acme-sdk-2|2027-10-01")}`,
  ),
  other("a free trial", `<p>The free trial of ${model} ends on December 1, 2026.</p>`),
  other(
    "batch in a sentence",
    `<p>Batch requests to ${model} will be retired on December 1, 2026.</p>`,
  ),
];
