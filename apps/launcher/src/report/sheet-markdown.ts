import type { Sheet, SheetTable } from "@proj/launcher-client/sheets";
import { printable } from "../text/printable.ts";

/** GitHub shows a summary of at most 1 MiB. */
const maxRows = 1_000;

/** A sheet in GitHub's Markdown, in which names of tasks are nothing but text. */
export const sheetMarkdown = ({ title, summary, tables }: Sheet): string =>
  `${[
    `## ${escaped(title)}`,
    ...summary.map(escaped),
    ...tables.filter(({ rows }) => rows.length > 0).map(tableMarkdown),
  ].join("\n\n")}\n`;

function tableMarkdown({ title, columns, rows }: SheetTable): string {
  const row = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
  const rest = rows.length - maxRows;
  return [
    `### ${escaped(title)}\n`,
    row(columns.map((column) => column.title)),
    `|${columns.map(({ align }) => (align === "right" ? " ---: |" : " --- |")).join("")}`,
    ...rows.slice(0, maxRows).map(row),
    ...(rest > 0 ? [`\n… and ${rest} more.`] : []),
  ].join("\n");
}

const escaped = (text: string): string =>
  printable(text)
    .replace(/\s+/g, " ")
    .replace(/[\\`*_~[\]<>&|$]/g, String.raw`\$&`);
