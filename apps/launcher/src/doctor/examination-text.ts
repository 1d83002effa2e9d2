import type { JobExamination } from "@proj/launcher-client";
import { count } from "@proj/launcher-client/sheets";
import { table } from "@proj/program";
import { printable } from "../text/printable.ts";
import { missingIdsText } from "./missing-ids-text.ts";

const maxGroups = 10;
const right = { align: "right" as const };

/** An examination in readable form. */
export function examinationText(found: JobExamination): string {
  const { rollouts, steps, sequences, captured, unknown_steps, zero_variance_groups } = found;
  const tokens = table(
    [{ title: "tokens" }, { title: "", ...right }, { title: "", ...right }],
    (["captured", "delivered", "masked", "dropped"] as const).map((name) => [
      name === "captured" ? "sampled" : name,
      String(found[name]),
      captured === 0 ? "–" : percent(found[name] / captured),
    ]),
  );
  const breaks = Object.entries(found.breaks_by_reason).map(([reason, number]) => [
    reason,
    String(number),
  ]);
  const losses = Object.entries(found.losses_by_reason).map(([reason, loss]) => [
    reason,
    String(loss.steps),
    String(loss.tokens),
  ]);
  const cut = Object.entries(found.truncated_by).map(([cause, number]) => [cause, String(number)]);
  const parts = [
    `${count(rollouts, "rollout")}, ${count(steps, "step")}, ${count(sequences, "sequence")}\n`,
    ...(cut.length === 0
      ? []
      : [table([{ title: "cut off by" }, { title: "rollouts", ...right }], cut)]),
    tokens,
    ...(unknown_steps === 0 ? [] : [unknownText(unknown_steps)]),
    ...(breaks.length === 0
      ? []
      : [
          table([{ title: "sequences begin" }, { title: "sequences", ...right }], breaks),
          lengthsText(found),
        ]),
    ...(losses.length === 0
      ? []
      : [
          table(
            [
              { title: "not trained on" },
              { title: "steps", ...right },
              { title: "tokens", ...right },
            ],
            losses,
          ),
        ]),
    ...(Object.keys(found.missing_ids).length === 0 ? [] : [missingIdsText(found.missing_ids)]),
    ...(zero_variance_groups.length === 0 ? [] : [groupsText(found)]),
  ];
  return printable(parts.join("\n"));
}

const unknownText = (steps: number): string =>
  `${count(steps, "step")} sampled an unknown number of tokens: the upstream reported neither ids nor usage. They are in no count.\n`;

function lengthsText(found: JobExamination): string {
  const { prefix_extension_rate, sequence_tokens, longest_tokens } = found;
  const rate = percent(prefix_extension_rate);
  return `${rate} of the steps that had something to continue did. The sequences have ${sequence_tokens} tokens, prompts
included; the longest of each agent and rollout alone ${longest_tokens}.\n`;
}

function groupsText({ zero_variance_groups, groups }: JobExamination): string {
  const shown = zero_variance_groups.slice(0, maxGroups).join(", ");
  const more = zero_variance_groups.length > maxGroups ? ", …" : "";
  const number = zero_variance_groups.length;
  const verb = number === 1 ? "has equal rewards" : "have equal rewards";
  return `${number} of ${count(groups, "group")} ${verb}, so no learning signal: ${shown}${more}\n`;
}

const percent = (fraction: number): string => `${(100 * fraction).toFixed(1)} %`;
