import { randomBytes } from "node:crypto";
import type { EnvironmentRow, JobReader, JobSummary, Score, StoredStep } from "@proj/session-store";
import { type ArchiveOptions, archiveJob, openArchive } from "../../src/index.ts";
import type { StoredJob, sharedDatabase } from "../trajectories/stored-job.ts";

/** A job with every kind of row: groups, failures, retries, scores, images, characters of all lengths. */
export async function variedJob(job: StoredJob): Promise<void> {
  const image = randomBytes(60_000).toString("base64");
  for (const name of ["s1", "s2", "s3"]) {
    const session_id = await job.claim(name, "g");
    const messages: object[] = [
      { role: "system", content: `It is ${name}: é 水 🚰 \u0000 "quoted"` },
      { role: "user", content: [{ type: "image", data: image }] },
    ];
    for (let turn = 0; turn < 4; turn += 1) {
      const said = { role: "assistant", content: `turn ${turn}` };
      await job.step(session_id, {
        messages: JSON.stringify(messages),
        request: '{"model":"policy","seed":12345678901234567890,"messages":null}',
        response: JSON.stringify({
          ...{ id: `${name}-${turn}`, prompt_token_ids: [1, 2] },
          choices: [
            {
              ...{ message: said, token_ids: [10, 11], finish_reason: "stop" },
              logprobs: { content: [10, 11].map((id) => ({ token: "x", logprob: -id / 64 })) },
            },
          ],
        }),
        meta: { started_at: new Date().toISOString(), finish_reason: "stop", prompt_tokens: 3 },
      });
      messages.push(said, { role: "user", content: "Go on." });
    }
    await job.step(session_id, { status_code: 500, messages: "[]", meta: { attempts: 1 } });
    if (name === "s3") await job.fail(session_id, "runtime_exited: it fell");
    else await job.finish(session_id, name === "s1" ? 0.1 + 0.2 : -1);
    await job.store.writeScores([
      {
        ...{ session_id, name: "style", author: "judge:a", repetition: 1, value: 0.7, label: null },
        comment: "é",
        judged_in: null,
      },
    ]);
  }
}

type Reads = Pick<JobReader, "readEnvironments" | "readSteps" | "readScores" | "readJob">;

/** All that is stored of a job. */
export async function allRows(store: Reads, job_id: string): Promise<AllRows> {
  const { environments } = await store.readEnvironments({ job_id, limit: 1000 });
  const steps: StoredStep[] = [];
  for (const { session_id } of environments)
    steps.push(...(await store.readSteps({ session_id, limit: 1000 })).steps);
  const { scores } = await store.readScores({ job_id, limit: 1000 });
  return { environments, steps, scores, job: await store.readJob(job_id) };
}

export interface AllRows {
  readonly environments: readonly EnvironmentRow[];
  readonly steps: readonly StoredStep[];
  readonly scores: readonly Score[];
  readonly job: JobSummary | null;
}

interface ArchivedJobRows extends Pick<StoredJob, "store" | "job_id"> {
  readonly job: StoredJob;
  /** All that was stored before it was archived. */
  readonly before: AllRows;
  readonly options: ArchiveOptions;
}

/** A job with every kind of row, archived to a folder. */
export async function archivedJob(
  database: ReturnType<typeof sharedDatabase>,
  address: string,
): Promise<ArchivedJobRows> {
  const job = database.newJob();
  const { store, job_id } = job;
  await variedJob(job);
  const before = await allRows(store, job_id);
  const options = { job_id, address };
  await archiveJob(store, options);
  return { job, store, job_id, before, options };
}

/** All that an archive has of a job. */
export async function archivedRows(address: string, job_id: string): Promise<AllRows> {
  const archive = await openArchive(address, { job_ids: [job_id] });
  try {
    return await allRows(archive, job_id);
  } finally {
    await archive.close();
  }
}
