import { writeFile } from "node:fs/promises";
import type { Sheet } from "@proj/launcher-client/sheets";
import { writeText } from "../text/write-text.ts";
import type { ReportSettings } from "./report-options.ts";
import { sheetsHtml, sheetText } from "./sheet.ts";

/** @param json what `--json` prints */
export async function writeSheets(
  sheets: readonly Sheet[],
  json: object,
  options: Pick<ReportSettings, "html" | "json">,
): Promise<void> {
  if (options.html !== null) await writeFile(options.html, sheetsHtml(sheets));
  if (options.json) await writeText(process.stdout, [`${JSON.stringify(json)}\n`]);
  else if (options.html === null)
    await writeText(process.stdout, [sheets.map(sheetText).join("\n")]);
}
