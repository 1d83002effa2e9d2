import { count, meanSentence, reward } from "@proj/launcher-client/sheets";
import type { TaskReport } from "@proj/launcher-client/statistics";
import { printable } from "../text/printable.ts";
import { type GatedReport, gateSentences } from "./gate.ts";

interface TestCase {
  readonly name: string;
  readonly duration_ms: number | null;
  readonly result: { readonly element: "failure" | "skipped"; readonly message: string } | null;
  readonly output: string;
}

/**
 * JUnit's XML: a suite for each job, with a test for its gate and one for each task. A task does not fail for a low mean,
 * because the gate is about the mean of all.
 */
export function junitText(reports: readonly GatedReport[]): string {
  const suites = reports.map(suiteText).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites}\n</testsuites>\n`;
}

function suiteText(report: GatedReport): string {
  const cases = [gateCase(report), ...report.tasks.map(taskCase)];
  const counted = (element: string): number =>
    cases.filter(({ result }) => result?.element === element).length;
  const counts = `tests="${cases.length}" failures="${counted("failure")}" skipped="${counted("skipped")}"`;
  const name = escaped(report.job_id);
  return `<testsuite name="${name}" ${counts}>\n${cases.map((each) => caseText(name, each)).join("\n")}\n</testsuite>`;
}

function gateCase(report: GatedReport): TestCase {
  const { gate, mean_duration_ms } = report;
  const isFailed = gate !== undefined && gate.failures.length > 0;
  return {
    name: gate === undefined ? "mean" : `mean of at least ${gate.min_reward}`,
    duration_ms: mean_duration_ms,
    result: isFailed ? { element: "failure", message: gateSentences(report).join(" ") } : null,
    output: meanSentence(report),
  };
}

function taskCase({ task, session_ids, mean_duration_ms, ...report }: TaskReport): TestCase {
  const { n, mean, infrastructure, unended } = report;
  const failed = session_ids.length - n - infrastructure - unended;
  return {
    name: task,
    duration_ms: mean_duration_ms,
    result:
      failed > 0
        ? { element: "failure", message: `${count(failed, "rollout")} failed` }
        : n === 0
          ? { element: "skipped", message: "no rollout has a score" }
          : null,
    output: `${count(n, "rollout")}, mean ${reward(mean)}; sessions ${session_ids.join(" ")}`,
  };
}

function caseText(suite: string, { name, duration_ms, result, output }: TestCase): string {
  const seconds = ((duration_ms ?? 0) / 1000).toFixed(3);
  const told = result === null ? "" : `<${result.element} message="${escaped(result.message)}"/>`;
  return `<testcase classname="${suite}" name="${escaped(name)}" time="${seconds}">${told}<system-out>${escaped(output)}</system-out></testcase>`;
}

/** XML has no way to write control characters, lone surrogates, and U+FFFE and U+FFFF. */
const escaped = (text: string): string =>
  printable(text)
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"\t\n]/g, (character) => `&#${character.charCodeAt(0)};`);
