import { writeFile } from "node:fs/promises";
import { reportSheet } from "@proj/launcher-client/sheets";
import { type GatedReport, gateSentences } from "./gate.ts";
import { junitText } from "./junit.ts";
import { sheetMarkdown } from "./sheet-markdown.ts";

/** Writes reports for a CI system: JUnit to a file named `….xml`, GitHub's Markdown to any other. */
export async function writeSummary(file: string, reports: readonly GatedReport[]): Promise<void> {
  const text = file.toLowerCase().endsWith(".xml")
    ? junitText(reports)
    : reports
        .map((report) => sheetMarkdown(reportSheet(worstFirst(report), gateSentences(report))))
        .join("\n");
  // Earlier commands of a step have their part in GitHub's file.
  await writeFile(file, text, { flag: file === process.env.GITHUB_STEP_SUMMARY ? "a" : "w" });
}

/** Before all others; a finite number, so that two of them are equal. */
const noScore = -Number.MAX_VALUE;

const worstFirst = (report: GatedReport): GatedReport => ({
  ...report,
  tasks: report.tasks.toSorted((one, other) => (one.mean ?? noScore) - (other.mean ?? noScore)),
});
