import { daysNamed } from "../extraction/dates.ts";
import { readModelIds } from "../extraction/id-cells.ts";
import { noticesFor } from "../extraction/new-notice.ts";
import { type Block, linesOf, readPage, type Section } from "../extraction/page.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Notice, Provider } from "../notice/notice.ts";

const bothDays = /\bdeprecated as of (.+) and will be shut down on (.+)/i;
const idLabel = /^(?:api )?models?\b[\w\s/]{0,14}$/i;

/** A section for each model: a sentence with both days, and the id in the model's table or list. */
export const googleVertexPartners: Provider = {
  label: "Google Vertex partners",
  slug: "google-vertex-partners",
  page_url:
    "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/deprecations/partner-models",
  source_url:
    "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/deprecations/partner-models",
  allowed_hosts: ["cloud.google.com"],
  extract(text) {
    const page = readPage(text);
    return [...noticesFromTables(page), ...page.sections.flatMap(noticesOf)];
  },
};

function noticesOf(section: Section): readonly Notice[] {
  const sentence = linesOf(section).find((line) => bothDays.test(line)) ?? "";
  const [, deprecation = "", shutdown = ""] = bothDays.exec(sentence) ?? [];
  const [deprecation_date] = daysNamed(deprecation, section.dateOrder);
  const [shutdown_date] = daysNamed(shutdown, section.dateOrder);
  if (deprecation_date === undefined || shutdown_date === undefined) return [];
  const ids = section.blocks.flatMap(labelledIds).slice(0, 1);
  const words = `${sentence}\nModel ID: ${ids.join()}`;
  return noticesFor(ids, { deprecation_date, shutdown_date }, section, words);
}

/** The ids beside "Model ID" in a table of properties, whose first row may be read as its head. */
function labelledIds(block: Block): readonly string[] {
  if (block.kind !== "table") return [];
  const { headings, rows } = block.grid;
  return [headings, ...rows.map((row) => row.map(({ text }) => text))].flatMap((cells) =>
    cells.some((cell) => idLabel.test(cell))
      ? cells.filter((cell) => !idLabel.test(cell)).flatMap(readModelIds)
      : [],
  );
}
