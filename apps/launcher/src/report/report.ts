import { reportSheet } from "@proj/launcher-client/sheets";
import { type Command, defineCommand, exitCode, operands } from "@proj/program";
import { reading } from "../storage.ts";
import { dbPathOf } from "../storage-option.ts";
import { gateSentences } from "./gate.ts";
import { gateOptions } from "./gate-options.ts";
import { readReport, reportOptions } from "./report-options.ts";
import { writeSummary } from "./summary-file.ts";
import { writeSheets } from "./write-sheets.ts";

/** What jobs earned, and how sure that is. */
export const report: Command = defineCommand({
  name: "report",
  summary: "the mean score of jobs, per task and over all, and how sure it is",
  about:
    "Per task and over all: rollouts, mean, pass@k, pass^k, standard error clustered by task, intervals, tokens, cost, time and failures. docs/evaluation.md says what each number promises.",
  no: "there is no such job, or one does not pass --min-reward",
  operand: operands("JOB", "the jobs; at least one"),
  options: { ...reportOptions, ...gateOptions },
  check({ operand }, refuse) {
    if (operand.length === 0) refuse("needs a JOB");
  },
  run: ({ options, operand }, context) =>
    reading(
      dbPathOf(options),
      async (store) => {
        const reports = [];
        for (const job_id of operand)
          reports.push(await readReport(store, job_id, options, context));
        await writeSheets(
          reports.map((each) => reportSheet(each, gateSentences(each))),
          reports,
          options,
        );
        if (options.summary !== null) await writeSummary(options.summary, reports);
        const isRefused = reports.some(
          ({ gate }) => gate !== undefined && gate.failures.length > 0,
        );
        return isRefused ? exitCode.no : exitCode.done;
      },
      { job_ids: operand, signal: context.signal },
    ),
});
