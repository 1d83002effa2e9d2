import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { exportFormats, FollowedFileError, followJob } from "../../src/index.ts";
import { type StoredJob, sharedDatabase, type WrittenStep } from "../trajectories/stored-job.ts";

const database = sharedDatabase();
const [sequences] = exportFormats;
if (sequences === undefined) throw new Error("there are formats");

async function outputFile(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return join(folder.path, "rollouts.jsonl");
}

/** Ends a simulation of that group with one sequence of these tokens. */
async function endOne(job: StoredJob, group_id: string, token: number): Promise<void> {
  const session_id = await job.claim(`${group_id}-${token}`, group_id);
  await job.step(session_id, sampled(token));
  await job.finish(session_id, token);
}

const sampled = (token: number): Partial<WrittenStep> => ({
  messages: "[]",
  response: JSON.stringify({
    choices: [{ message: { role: "assistant", content: "x" }, token_ids: [token] }],
    prompt_token_ids: [1],
  }),
  meta: { started_at: new Date().toISOString(), finish_reason: "stop" },
});

const follow = (
  job: StoredJob,
  file: string,
  signal = new AbortController().signal,
  include_failed = false,
) => {
  const { store, job_id } = job;
  return followJob(store, { job_id, format: sequences, file, signal, pauseMs: 5, include_failed });
};

/** `group: last token` for each line. */
async function linesOf(file: string): Promise<string[]> {
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  return lines.map((line) => {
    const { group_id, input_ids } = JSON.parse(line);
    return `${group_id}: ${input_ids.at(-1)}`;
  });
}

test("two processes cannot append to one file, and the second names the first", async () => {
  const job = database.newJob();
  const file = await outputFile();
  await endOne(job, "a", 10);
  await job.claim("later", "b");
  const { signal, abort } = abortable();
  const following = follow(job, file, signal);
  await expect.poll(() => cursorOf(file).catch(() => null)).toMatchObject({ position: 1 });
  const second = await follow(job, file).catch((error: unknown) => error);
  expect(second).toBeInstanceOf(FollowedFileError);
  expect(String(second)).toMatch(
    new RegExp(`is in use by a launcher export --follow \\(process ${process.pid} `),
  );
  expect(await linesOf(file)).toEqual(["a: 10"]);
  abort();
  await expect(following).rejects.toThrow("enough");
});

const cursorOf = async (file: string) => JSON.parse(await readFile(`${file}.cursor`, "utf8"));

test("groups are appended as they end, and the cursor says how much of the file is complete", async () => {
  const job = database.newJob();
  const file = await outputFile();
  await endOne(job, "a", 10);
  const running = await job.claim("later", "b");
  const { signal, abort } = abortable();
  const following = follow(job, file, signal);
  await expect.poll(() => cursorOf(file).catch(() => null)).toMatchObject({ position: 1 });
  expect(await linesOf(file)).toEqual(["a: 10"]);
  abort();
  await expect(following).rejects.toThrow("enough");

  await job.fail(running, "x");
  await endOne(job, "c", 12);
  await follow(job, file);
  expect(await linesOf(file)).toEqual(["a: 10", "c: 12"]);
  const bytes = (await readFile(file)).length;
  const { job_id } = job;
  expect(await cursorOf(file)).toEqual({
    ...{ job_id, format: "sequences", position: 3, rollouts: 2, bytes },
  });
  await follow(job, file);
  expect(await linesOf(file)).toEqual(["a: 10", "c: 12"]);
});

test("attempts that failed are left out, unless they are asked for", async () => {
  const job = database.newJob();
  await endOne(job, "a", 10);
  const failed = await job.claim("a-11", "a");
  await job.step(failed, sampled(11));
  await job.fail(failed, "x");
  for (const [include_failed, lines] of [
    [false, ["a: 10"]],
    [true, ["a: 10", "a: 11"]],
  ] as const) {
    const file = await outputFile();
    await follow(job, file, undefined, include_failed);
    expect(await linesOf(file)).toEqual(lines);
  }
});

test("whatever a process wrote beyond its last cursor before it died, the file ends up the same", async () => {
  const job = database.newJob();
  const names = ["a", "b", "c"];
  for (const [at, name] of names.entries()) await endOne(job, name, 10 + at);
  const file = await outputFile();
  await follow(job, file);
  const whole = await readFile(file);
  const ends = [0, ...[...whole.entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []))];
  for (const [position, bytes] of ends.entries()) {
    // As if it had died after each third of the next line, and after all of it.
    const next = (ends[position + 1] ?? whole.length) - bytes;
    for (const part of [0, 1, Math.trunc(next / 2), next]) {
      await writeFile(file, whole);
      await truncate(file, bytes + part);
      const { job_id } = job;
      const cursor = { job_id, format: "sequences", position, rollouts: position, bytes };
      await writeFile(`${file}.cursor`, JSON.stringify(cursor));
      await writeFile(`${file}.cursor.next`, '{"job_');
      await follow(job, file);
      expect(await readFile(file, "utf8")).toBe(whole.toString());
    }
  }
});

test("a file of another job, or of unknown origin, is left unchanged", async () => {
  const job = database.newJob();
  await endOne(job, "a", 10);
  const file = await outputFile();
  await writeFile(file, "precious\n");
  await expect(follow(job, file)).rejects.toThrow(FollowedFileError);
  expect(await readFile(file, "utf8")).toBe("precious\n");

  const other = await outputFile();
  await follow(job, other);
  const before = await readFile(other, "utf8");
  const next = database.newJob();
  await endOne(next, "a", 11);
  await expect(follow(next, other)).rejects.toThrow(
    /belongs to job 'job-\d+' in the format sequences/,
  );
  expect(await readFile(other, "utf8")).toBe(before);
  await truncate(other, 3);
  await expect(follow(job, other)).rejects.toThrow("is shorter than");
});

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error("enough")) };
}
