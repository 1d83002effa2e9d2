import { comparisonSheet, reportSheet } from "@proj/launcher-client/sheets";
import { compareJobs } from "@proj/launcher-client/statistics";
import { type Command, defineCommand, exitCode, operands } from "@proj/program";
import { reading } from "../storage.ts";
import { dbPathOf } from "../storage-option.ts";
import { readReport, reportOptions } from "./report-options.ts";
import { writeSheets } from "./write-sheets.ts";

/** Whether one job is better than another, by how much, and how sure that is. */
export const compare: Command = defineCommand({
  name: "compare",
  summary: "whether job B is better than job A, by how much, and how sure that is",
  about:
    "A paired test over the tasks that both jobs have, the smallest difference that it could find, and the tasks that got better or worse. Tasks have the same name in both jobs: the group, or the simulation.",
  no: "there is no such job",
  operand: operands("JOB", "A and B"),
  options: reportOptions,
  check({ operand }, refuse) {
    if (operand.length !== 2) refuse("needs two jobs: A and B");
  },
  run: ({ options, operand }, context) =>
    reading(
      dbPathOf(options),
      async (store) => {
        const [a = "", b = ""] = operand;
        const [first, second] = [
          await readReport(store, a, options, context),
          await readReport(store, b, options, context),
        ];
        const comparison = compareJobs(first, second);
        const sheets = [comparisonSheet(first, second, comparison)];
        if (options.html !== null) sheets.push(reportSheet(first), reportSheet(second));
        await writeSheets(sheets, { a: first, b: second, comparison }, options);
        return exitCode.done;
      },
      { job_ids: operand, signal: context.signal },
    ),
});
