import { leftOut, meanSentence } from "@proj/launcher-client/sheets";
import type { Context } from "@proj/program";
import type { JobStore } from "@proj/session-store";
import { type Gate, gateSentences } from "../report/gate.ts";
import { readReport } from "../report/report-options.ts";
import { writeSummary } from "../report/summary-file.ts";
import type { RunSettings } from "./run-arguments.ts";

/** Reports a job as `report` does, if the command line asks for it. @returns null without a bound */
export async function reportRun(
  store: JobStore,
  job_id: string,
  settings: Pick<RunSettings, "min-reward" | "summary" | "failed-as">,
  context: Context,
  say: (text: string) => void,
): Promise<Gate | null> {
  const { summary } = settings;
  if (settings["min-reward"] === null && summary === null) return null;
  const rewards = { score: "reward", by: null, pass: null, k: [], tools: false, seed: 1 };
  const report = await readReport(store, job_id, { ...rewards, ...settings }, context);
  say([meanSentence(report), ...leftOut(report), ...gateSentences(report)].join("\n"));
  if (summary !== null) await writeSummary(summary, [report]);
  return report.gate ?? null;
}
