import { createHash, type Hash } from "node:crypto";
import {
  type EnvironmentRow,
  type JobReader,
  jobEnvironments,
  type Score,
  type ScoreKey,
  type StepPage,
  type StoredStep,
} from "@proj/session-store";
import { type TableName, tables } from "./layout.ts";
import type { PartRollout } from "./manifest.ts";

/** The reads that an archive is made from. */
export type ArchivedStore = Pick<JobReader, "readEnvironments" | "readSteps" | "readScores">;

/** Takes the rows of a rollout, one after the other. */
export interface RolloutSink {
  rollout(row: EnvironmentRow): Promise<void>;
  step(row: StoredStep): Promise<void>;
  score(row: Score): Promise<void>;
}

const nothing = async (): Promise<void> => {};
export const noSink: RolloutSink = { rollout: nothing, step: nothing, score: nothing };

/** Reads all that is stored of an attempt. */
export async function readRolloutRows(
  store: ArchivedStore,
  environment: EnvironmentRow,
  sink: RolloutSink = noSink,
): Promise<Pick<PartRollout, "steps" | "payload" | "sha256">> {
  const { session_id } = environment;
  const hash = createHash("sha256");
  addRow(hash, "rollouts", environment);
  await sink.rollout(environment);
  let [steps, payload] = [0, 0];
  for (let after: number | null = 0; after !== null; ) {
    const page: StepPage = await store.readSteps({ session_id, after });
    for (const step of page.steps) {
      addRow(hash, "steps", step);
      await sink.step(step);
      steps += 1;
      for (const text of [step.request, step.response, step.messages]) payload += text?.length ?? 0;
    }
    after = page.next_after;
  }
  for await (const score of scoresOf(store, environment)) {
    addRow(hash, "scores", score);
    await sink.score(score);
  }
  return { steps, payload, sha256: hash.digest("hex") };
}

/** The attempts of a job that have ended. */
export async function* endedAttempts(
  store: ArchivedStore,
  job_id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<EnvironmentRow> {
  for await (const environment of jobEnvironments(store, job_id)) {
    signal?.throwIfAborted();
    if (environment.status !== "pending" && environment.status !== "running") yield environment;
  }
}

/** A session's scores come first among those after this key. */
const firstKey = { name: "", author: "", repetition: 0 };

async function* scoresOf(
  store: ArchivedStore,
  { job_id, session_id }: EnvironmentRow,
): AsyncGenerator<Score> {
  for (let after: ScoreKey | null = { session_id, ...firstKey }; after !== null; ) {
    const page = await store.readScores({ job_id, after, limit: 20 });
    for (const score of page.scores) {
      if (score.session_id !== session_id) return;
      yield score;
    }
    after = page.next_after;
  }
}

function addRow(hash: Hash, table: TableName, row: EnvironmentRow | StoredStep | Score): void {
  const members: Readonly<Record<string, unknown>> = { ...row };
  const cells = Object.keys(tables[table]).map((name) => members[name] ?? null);
  hash.update(`${JSON.stringify([table, ...cells])}\n`);
}
