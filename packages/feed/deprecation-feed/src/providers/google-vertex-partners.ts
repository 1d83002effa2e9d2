import { daysNamed } from "../extraction/dates.ts";
import { nameOf, readModelIds } from "../extraction/id-cells.ts";
import { noticesFor } from "../extraction/new-notice.ts";
import { type Block, type ListItem, linesOf, readPage, type Section } from "../extraction/page.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Notice, Provider } from "../notice/notice.ts";

const bothDays = /\bdeprecated as of (.+) and will be shut down on (.+)/i;
const labelAndId = /^(?:api )?model id:?\s+(\S.*)/i;
const idLabel = /^(?:api )?models?\b[\w\s/]{0,14}$/i;

/**
 * One section per model: a sentence with both days, and the id next to "Model ID". We know only the text of the page and
 * not its markup, so the id is searched for in everything that can hold a label and its value.
 */
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
  const [id = nameIn(section)] = [
    ...section.blocks.flatMap(idsInTable),
    ...idsInTexts(section.blocks.flatMap(textsOf)),
  ];
  if (id === "") return [];
  const words = `${sentence}\nModel ID: ${id}`;
  return noticesFor([id], { deprecation_date, shutdown_date }, section, words);
}

/** The ids next to "Model ID" in a table of properties, whose first row may have been parsed as its head. */
function idsInTable(block: Block): readonly string[] {
  if (block.kind !== "table") return [];
  const { headings, rows } = block.grid;
  return [headings, ...rows.map((row) => row.map(({ text }) => text))].flatMap((cells) =>
    cells.some((cell) => idLabel.test(cell))
      ? cells.filter((cell) => !idLabel.test(cell)).flatMap(readModelIds)
      : [],
  );
}

/** The ids after "Model ID" in a paragraph or list item, or in the next one. */
const idsInTexts = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text, index) => {
    const [, value] = labelAndId.exec(text) ?? [];
    if (value !== undefined) return readModelIds(value);
    return idLabel.test(text.replace(/:$/, "")) ? readModelIds(texts[index + 1] ?? "") : [];
  });

function textsOf(block: Block): readonly string[] {
  if (block.kind === "table") return [];
  return block.kind === "list" ? block.items.flatMap(textsOfItem) : [block.words.text];
}

const textsOfItem = ({ words, lists }: ListItem): readonly string[] => [
  words.text,
  ...lists.flat().flatMap(textsOfItem),
];

/** The model's name in the section's heading: better than missing the model. */
const nameIn = ({ headings }: Section): string =>
  nameOf(headings.at(-1)?.text.replace(/^\p{Lu}[\p{L}\d ]{0,30}['’]s /u, "") ?? "")[0] ?? "";
