import type { Provider } from "../../src/notice/notice.ts";
import { anthropic } from "../../src/providers/anthropic.ts";
import { groq } from "../../src/providers/groq.ts";
import { openai } from "../../src/providers/openai.ts";

/** A model on a page of a story. */
export interface Row {
  readonly id: string;
  /** The words in its column of dates. */
  readonly end: string;
  readonly announced: string;
  readonly replacement?: string;
  readonly state?: string;
}

/** A way to write the rows: that of a provider whose extractor then reads them. */
export interface Form {
  readonly provider: Provider;
  readonly write: (rows: readonly Row[]) => string;
}

const table = (head: string, rows: readonly string[]): string =>
  [head, head.replace(/[^|]+/g, "---"), ...rows].map((cells) => `| ${cells} |`).join("\n");

/** One section with a table for each announcement. */
const inSections =
  (title: string, head: string, cells: (row: Row) => string) =>
  (rows: readonly Row[]): string => {
    const sections = [...Map.groupBy(rows, ({ announced }) => announced)].sort(([a], [b]) =>
      a < b ? 1 : -1,
    );
    const texts = sections.map(
      ([day, own]) =>
        `### ${day}: Older models\n\nOn ${day}, we notified developers.\n\n${table(head, own.map(cells))}`,
    );
    return `# ${title}\n\nOld models leave the API.\n\n## Deprecation history\n\n${texts.join("\n\n")}\n\nThat is all of it.\n`;
  };

export const openAiForm: Form = {
  provider: openai,
  write: inSections(
    "Deprecations",
    "Shutdown date | Model / system | Recommended replacement",
    ({ end, id, replacement = "`next-1`" }) => `${end} | \`${id}\` | ${replacement}`,
  ),
};

export const groqForm: Form = {
  provider: groq,
  write: inSections(
    "Model deprecation",
    "Deprecated Model | Shutdown Date | Recommended Replacement Model ID",
    ({ end, id, replacement = "next-1" }) => `${id} | ${end} | ${replacement}`,
  ),
};

/** A table of all models with their states. */
export const anthropicForm: Form = {
  provider: anthropic,
  write: (rows) =>
    `# Model deprecations\n\n## Model status\n\n${table(
      "API model name | Current state | Deprecated | Tentative retirement date",
      rows.map(
        ({ id, state = "Deprecated", announced, end }) =>
          `\`${id}\` | ${state} | ${announced} | ${end}`,
      ),
    )}\n\nThat is all of it.\n`,
};
