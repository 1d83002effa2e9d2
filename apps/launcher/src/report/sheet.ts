import type { Sheet, SheetTable } from "@proj/launcher-client/sheets";
import { table } from "@proj/program";
import { printable } from "../text/printable.ts";

export function sheetText({ title, summary, tables }: Sheet): string {
  const parts = tables
    .filter(({ rows }) => rows.length > 0)
    .map((each) => `\n${each.title}\n${table(each.columns, each.rows)}`);
  return printable(`${title}\n${summary.map((line) => `${line}\n`).join("")}${parts.join("")}`);
}

/** One file: no scripts, nothing from elsewhere, light and dark, and tables that scroll on a phone. */
export function sheetsHtml(sheets: readonly Sheet[]): string {
  const title = escaped(sheets.map((sheet) => sheet.title).join(" · "));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${style}</style>
<main>
${sheets.map(sheetHtml).join("\n")}
</main>
</html>
`;
}

function sheetHtml({ title, summary, tables }: Sheet, index: number): string {
  const level = index === 0 ? 1 : 2;
  const shown = tables.filter(({ rows }) => rows.length > 0);
  return `<section>
<h${level}>${escaped(title)}</h${level}>
${summary.map((line) => `<p>${escaped(line)}</p>`).join("\n")}
${shown.map((each) => tableHtml(each, level + 1, title)).join("\n")}
</section>`;
}

/** @param of the sheet's title: the tables of several sheets have the same titles */
function tableHtml({ title, columns, rows }: SheetTable, level: number, of: string): string {
  const row = (cells: readonly string[]): string =>
    `<tr>${cells
      .map((cell, index) =>
        index === 0
          ? `<th scope="row">${escaped(cell)}</th>`
          : `<td${columns[index]?.align === "right" ? ' class="number"' : ""}>${escaped(cell)}</td>`,
      )
      .join("")}</tr>`;
  const heads = columns.map(({ title: head }) =>
    head === "" ? "<td></td>" : `<th scope="col">${escaped(head)}</th>`,
  );
  return `<h${level}>${escaped(title)}</h${level}>
<div class="scroll" role="region" aria-label="${escaped(`${title}, ${of}`)}" tabindex="0"><table>
<thead><tr>${heads.join("")}</tr></thead>
<tbody>
${rows.map(row).join("\n")}
</tbody>
</table></div>`;
}

const escaped = (text: string): string =>
  printable(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#fff, #16181c); color: light-dark(#1a1d21, #e6e8eb); }
main { max-width: 72rem; margin: 0 auto; padding: 1rem; }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem; text-align: left; white-space: nowrap;
  border-bottom: 1px solid light-dark(#d5d9de, #363a40); }
.number { text-align: right; }
`;
