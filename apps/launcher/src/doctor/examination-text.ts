import type { JobExamination } from "@proj/launcher-client";
import { table } from "@proj/program";
import { printable } from "../text/printable.ts";
import { count } from "../text/quantities.ts";

const mostGroups = 10;

/** An examination in readable form. */
export function examinationText(found: JobExamination): string {
  const { rollouts, steps, sequences, captured, zero_variance_groups } = found;
  const tokens = table(
    [{ title: "tokens" }, { title: "", align: "right" }, { title: "", align: "right" }],
    (["captured", "delivered", "masked", "dropped"] as const).map((name) => [
      name,
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
  const right = { align: "right" as const };
  const cut = Object.entries(found.truncated_by).map(([cause, number]) => [cause, String(number)]);
  const parts = [
    `${count(rollouts, "rollout")}, ${count(steps, "step")}, ${count(sequences, "sequence")}\n`,
    ...(cut.length === 0
      ? []
      : [table([{ title: "cut off by" }, { title: "rollouts", ...right }], cut)]),
    tokens,
    ...(breaks.length === 0
      ? []
      : [table([{ title: "sequences begin" }, { title: "sequences", ...right }], breaks)]),
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
    ...(zero_variance_groups.length === 0 ? [] : [groupsText(found)]),
    ...(captured === 0 ? [noTokens] : []),
  ];
  return printable(parts.join("\n"));
}

const noTokens =
  "No engine reported token ids. For vLLM, set extra_body: { return_token_ids: true, logprobs: true }\non the route.\n";

function groupsText({ zero_variance_groups, groups }: JobExamination): string {
  const shown = zero_variance_groups.slice(0, mostGroups).join(", ");
  const more = zero_variance_groups.length > mostGroups ? ", …" : "";
  const number = zero_variance_groups.length;
  const verb = number === 1 ? "has equal rewards and teaches" : "have equal rewards and teach";
  return `${number} of ${count(groups, "group")} ${verb} nothing: ${shown}${more}\n`;
}

const percent = (fraction: number): string => `${(100 * fraction).toFixed(1)} %`;
