import type { ExaminedStep } from "@proj/launcher-client";
import { table } from "@proj/program";
import { printable } from "../text/printable.ts";

/** Where tokens are lost and sequences break, step by step. */
export function examinedStepsText(steps: readonly ExaminedStep[]): string {
  const rows = steps.map((step) => [
    `${step.simulation_id} #${step.attempt}`,
    step.session_id,
    step.step,
    step.finding,
    String(step.reason),
    step.finding === "break" ? breakText(step) : lossText(step),
  ]);
  const titles = ["simulation", "session", "step", "finding", "reason", ""];
  return printable(
    table(
      titles.map((title) => ({ title })),
      rows,
    ),
  );
}

const breakText = ({
  detail,
  compared_with,
}: Extract<ExaminedStep, { finding: "break" }>): string =>
  [detail, compared_with === null ? null : `after ${compared_with}`]
    .filter((text) => text !== null)
    .join(", ");

const lossText = ({
  by,
  tokens,
  is_count_known,
}: Extract<ExaminedStep, { finding: "loss" }>): string =>
  [is_count_known ? `${tokens} tokens` : "unknown tokens", by]
    .filter((text) => text !== null)
    .join(", ");
