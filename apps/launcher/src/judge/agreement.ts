import { interval, numbersUnder, reward, type Sheet } from "@proj/launcher-client/sheets";
import { type Agreement, agreementsOf } from "@proj/launcher-client/statistics";
import {
  type Command,
  defineCommand,
  exitCode,
  jsonOption,
  oneOperand,
  optional,
} from "@proj/program";
import { readJobScores, type Score } from "@proj/session-store";
import { sheetText } from "../report/sheet.ts";
import { reading, requireJob } from "../storage.ts";
import { dbPathOf, storageOptions } from "../storage-option.ts";
import { writeText } from "../text/write-text.ts";

/** How far evaluators, judges and people agree. */
export const agreement: Command = defineCommand({
  name: "agreement",
  summary: "how far evaluators, judges and people agree about a job",
  about:
    "Cohen's kappa and Krippendorff's alpha of every two authors of scores, and how much more the second gives than the first.",
  no: "there is no such job",
  operand: oneOperand("JOB", "the job"),
  options: {
    score: optional("NAME", "only this score; all by default"),
    ...storageOptions(),
    json: jsonOption("as JSON"),
  },
  run: ({ operand: job_id, options }, context) =>
    reading(dbPathOf(options), async (store) => {
      await requireJob(store, job_id, context);
      const scores: Score[] = [];
      for await (const score of readJobScores(store, job_id))
        if (options.score === null || score.name === options.score) scores.push(score);
      const found = agreementsOf(scores);
      const text = options.json
        ? `${JSON.stringify(found)}\n`
        : sheetText(agreementSheet(job_id, found));
      await writeText(process.stdout, [text]);
      return exitCode.done;
    }),
});

const agreementSheet = (job_id: string, found: readonly Agreement[]): Sheet => ({
  title: `agreement on job ${job_id}`,
  summary: found.length === 0 ? ["No two authors scored the same rollout."] : [],
  tables: [
    {
      title: "Authors",
      columns: numbersUnder(
        ...["score", "first", "second", "rollouts", "kappa", "alpha"],
        ...["second gives more by", "95 % interval"],
      ),
      rows: found.map(({ name, authors, sessions, kappa, alpha, bias, bias_interval }) => [
        ...[name, ...authors, String(sessions), reward(kappa), reward(alpha)],
        ...[reward(bias), interval(bias_interval)],
      ]),
    },
  ],
});
