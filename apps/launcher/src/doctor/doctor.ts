import { type ExaminedStep, examineJob } from "@proj/launcher-client";
import {
  type Command,
  defineCommand,
  exitCode,
  flag,
  jsonOption,
  type Option,
  optional,
  optionalAs,
} from "@proj/program";
import { ofJob, reading, requireJob } from "../storage.ts";
import { dbPathOf, storageOptions } from "../storage-option.ts";
import { writeText } from "../text/write-text.ts";
import { examinationText } from "./examination-text.ts";
import { examinedStepsText } from "./examined-steps-text.ts";
import { isTooDifferent, recompute, recomputedText, recomputeOptions } from "./recompute.ts";

const minDeliveredOption: Option<number | null> = optionalAs(
  "FRACTION",
  "exit with 1 if less than this fraction of the sampled tokens can be trained on, from 0 to 1",
  (text, refuse) => {
    const fraction = text.trim() === "" ? Number.NaN : Number(text);
    if (fraction >= 0 && fraction <= 1) return fraction;
    refuse(`must be a number from 0 to 1, not '${text}'`);
    return undefined;
  },
);

/** How much of a job's sampled tokens can be trained on. */
export const doctor: Command = defineCommand({
  name: "doctor",
  summary: "tell how many sampled tokens can be trained on, and why the rest cannot",
  about: `Joins the steps of finished simulations into training sequences and accounts for every token:
which are delivered to a trainer, which are masked or dropped and why, and why sequences were split.`,
  no: "there is no such job; log probabilities differ by more than --max-difference; or less than --min-delivered is delivered, or may be, because the size of some steps is unknown",
  options: {
    ...storageOptions(),
    "job-id": optional("ID", "only this job"),
    "min-delivered": minDeliveredOption,
    verbose: flag("name each rollout and step where tokens are lost or a sequence breaks"),
    ...recomputeOptions,
    json: jsonOption("as JSON"),
  },
  check({ options }, refuse) {
    if (options["max-difference"] !== null && options.recompute === null)
      refuse("--max-difference needs --recompute");
  },
  run: ({ options }, context) =>
    reading(
      dbPathOf(options),
      async (store) => {
        const { "job-id": job_id, "min-delivered": least, verbose, json } = options;
        if (job_id !== null) await requireJob(store, job_id, context);
        const { signal } = context;
        const named: ExaminedStep[] = [];
        const onStep = verbose ? (step: ExaminedStep) => named.push(step) : undefined;
        const found = await examineJob(store, job_id ?? undefined, { signal, onStep });
        const recomputed = await recompute(store, options, signal);
        const all = {
          ...found,
          ...(verbose ? { named } : {}),
          ...(recomputed === null ? {} : { recomputed }),
        };
        const text = json
          ? [`${JSON.stringify(all)}\n`]
          : [
              examinationText(found),
              ...(recomputed === null ? [] : ["\n", recomputedText(recomputed)]),
              ...(named.length > 0 ? ["\n", examinedStepsText(named)] : []),
            ];
        await writeText(process.stdout, text);
        if (isTooDifferent(recomputed, options["max-difference"])) return exitCode.no;
        const isSure = found.unknown_steps === 0 || least === 0;
        const isEnough = least === null || (isSure && found.delivered_fraction >= least);
        return isEnough ? exitCode.done : exitCode.no;
      },
      ofJob(options["job-id"], context),
    ),
});
