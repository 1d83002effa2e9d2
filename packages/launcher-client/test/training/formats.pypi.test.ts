import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isLeftOutWithoutPython, pythonWith, temporaryFolder } from "@proj/test-kit";
import { beforeAll, describe, expect, test } from "vitest";
import { exportFormats, exportParquet, exportRollouts } from "../../src/index.ts";
import { type StoredJob, sharedDatabase } from "../trajectories/stored-job.ts";

// Each format is read by the reader that its users have, where PyPI has one.

const python = await pythonWith(["atif==1.8.0", "pyarrow==26.0.1"]);
const database = sharedDatabase();

let job: StoredJob;

/** A rollout whose agent reasons, calls a tool, and has a title made beside it. */
beforeAll(async () => {
  job = database.newJob();
  const session_id = await job.claim("s1", "g");
  const call = { id: "c1", type: "function", function: { name: "add", arguments: '{"a":2}' } };
  const calling = {
    ...{ role: "assistant", content: null, reasoning_content: "I add." },
    tool_calls: [call],
  };
  const answerOf = (message: object, prompt_token_ids: number[], token_ids: number[]): string =>
    JSON.stringify({ prompt_token_ids, choices: [{ message, token_ids, finish_reason: "stop" }] });
  const tools = [{ type: "function", function: { name: "add", parameters: {} } }];
  const step = (at: number, messages: object[], response: string, agent?: object) =>
    job.step(session_id, {
      ...{ messages: JSON.stringify(messages), response },
      request: JSON.stringify({ model: "policy", tools }),
      meta: {
        started_at: new Date(Date.now() + at).toISOString(),
        ...{ finish_reason: "stop", prompt_tokens: 2, completion_tokens: 2, agent },
      },
    });
  const opening = [
    { role: "system", content: "be brief" },
    { role: "user", content: "2 + 2?" },
  ];
  await step(0, opening, answerOf(calling, [1, 2], [3, 4]));
  const title = [{ role: "user", content: "a title?" }];
  await step(0, title, answerOf({ role: "assistant", content: "Sums" }, [9], [8]), {
    request_kind: "title",
  });
  const result = { role: "tool", tool_call_id: "c1", content: "4" };
  const said = { role: "assistant", content: "4" };
  await step(1_000, [...opening, calling, result], answerOf(said, [1, 2, 3, 4, 5], [6]));
  await job.finish(session_id, 0.5);
});

function formatOf(name: string) {
  const format = exportFormats.find((each) => each.name === name);
  if (format === undefined) throw new Error(`there is no format ${name}`);
  return format;
}

describe.skipIf(isLeftOutWithoutPython("readers of training data", python))("readers", () => {
  test("atif: its models take a trajectory and its subagents, and know every member", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "rollouts.jsonl");
    let text = "";
    const { job_id, store } = job;
    for await (const line of exportRollouts(store, { job_id, format: formatOf("atif") }))
      text += line;
    await writeFile(file, text);
    const read = `
import atif, json, sys
for line in open(sys.argv[1]):
    read = atif.Trajectory.model_validate_json(line)
    print(json.dumps([[step.source for step in read.steps],
        [len(each.steps) for each in read.subagent_trajectories or []]]))`;
    const printed = (await python?.run(read, file)) ?? "";
    expect(JSON.parse(printed)).toEqual([["system", "user", "agent", "agent"], [2]]);
  });

  test.for(exportFormats)("$name: pyarrow reads the Parquet file", async (format) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "rollouts.parquet");
    const { job_id, store } = job;
    await exportParquet(store, file, { job_id, format, keep_side_calls: true });
    const read = `
import json, pyarrow.parquet, sys
table = pyarrow.parquet.read_table(sys.argv[1])
print(json.dumps([table.column_names, table.to_pylist()]))`;
    const [names, rows] = JSON.parse((await python?.run(read, file)) ?? "[]");
    expect(names).toEqual(format.columns);
    const lines: Record<string, unknown>[] = [];
    for await (const line of exportRollouts(store, { job_id, format, keep_side_calls: true }))
      lines.push(JSON.parse(line));
    const cells = lines.map((line) =>
      Object.fromEntries(format.columns.map((name) => [name, line[name] ?? null])),
    );
    expect(rows.map(parsed)).toEqual(cells.map(parsed));
  });
});

/** What is nested is JSON text in the file. */
function parsed(row: Record<string, unknown>): Record<string, unknown> {
  const decoded = (cell: unknown): unknown => {
    if (typeof cell !== "string" || !/^[[{\d]/.test(cell)) return cell;
    try {
      return JSON.parse(cell);
    } catch {
      return cell;
    }
  };
  return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, decoded(cell)]));
}
