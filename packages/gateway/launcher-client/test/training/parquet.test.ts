import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { exportFormats, exportParquet, exportRollouts } from "../../src/index.ts";
import { sharedDatabase } from "../trajectories/stored-job.ts";

const database = sharedDatabase();

/** Two rollouts of a group, one of them with a side call for a title. */
async function rewardedJob() {
  const job = database.newJob();
  for (const name of ["s1", "s2"]) {
    const session_id = await job.claim(name, "g");
    const say = (content: string, ids: number[], meta: object = {}) =>
      job.step(session_id, {
        messages: JSON.stringify([{ role: "user", content }]),
        request: '{"model":"policy","tools":[{"type":"function","function":{"name":"add"}}]}',
        response: JSON.stringify({
          prompt_token_ids: [1, 2],
          choices: [
            {
              message: { role: "assistant", content: "four" },
              token_ids: ids,
              logprobs: { content: ids.map((id) => ({ token: "x", logprob: -id / 64 })) },
            },
          ],
        }),
        meta: { started_at: new Date().toISOString(), finish_reason: "stop", ...meta },
      });
    await say("2 + 2?", [10, 11]);
    if (name === "s2") await say("a title?", [12], { agent: { request_kind: "title" } });
    await job.finish(session_id, 0.5);
  }
  return job;
}

test.for(exportFormats)("$name: the file's rows are the lines", async (format) => {
  const { store, job_id } = await rewardedJob();
  await using folder = await temporaryFolder();
  const file = join(folder.path, "rollouts.parquet");
  const options = { format, job_id, keep_side_calls: true };
  await exportParquet(store, file, options);
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file) });

  const types = new Map(
    (await parquetMetadataAsync(await asyncBufferFromFile(file))).schema.map(({ name, type }) => [
      name,
      type,
    ]),
  );

  let at = 0;
  for await (const text of exportRollouts(store, options)) {
    const line: Record<string, unknown> = JSON.parse(text);
    const row = rows[at++] ?? {};
    expect(Object.keys(row)).toEqual(format.columns);
    for (const name of format.columns) {
      expect(plain(row[name], line[name])).toEqual(line[name] ?? null);
      // Elsewhere a `rollout_id` is a text.
      if (typeof line[name] === "number" && name !== "rollout_id")
        expect(["INT64", "DOUBLE"], name).toContain(types.get(name));
      if (typeof line[name] === "string") expect(row[name]).toBe(line[name]);
    }
  }
  expect(at).toBe(rows.length);
  expect(at).toBeGreaterThan(1);
});

test("a job without rollouts is a file without rows", async () => {
  const [format] = exportFormats;
  if (format === undefined) throw new Error("there are formats");
  await using folder = await temporaryFolder();
  const path = join(folder.path, "none.parquet");
  const { store, job_id } = database.newJob();
  await exportParquet(store, path, { format, job_id });
  const file = await asyncBufferFromFile(path);
  expect((await parquetMetadataAsync(file)).num_rows).toBe(0n);
});

/** A cell's value as the line has it: nested values are JSON text, whole numbers are bigints. */
function plain(cell: unknown, value: unknown): unknown {
  if (typeof cell === "bigint") return Number(cell);
  if (typeof cell === "string" && typeof value !== "string") return JSON.parse(cell);
  if (typeof cell === "string" && cell !== value) return JSON.parse(cell);
  return cell;
}
