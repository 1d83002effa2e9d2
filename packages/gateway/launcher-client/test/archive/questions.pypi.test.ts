import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isLeftOutWithoutPython, pythonWith, temporaryFolder } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { archiveJob } from "../../src/index.ts";
import { sharedDatabase } from "../trajectories/stored-job.ts";

const python = await pythonWith(
  ["duckdb==2.0.1", "pandas==3.1.1", "polars==2.1.0", "pyarrow==26.0.1"],
  { timeoutMs: 60_000 },
);
const database = sharedDatabase();
const page = new URL("../../../../../docs/data.md", import.meta.url);

/** Runs a block in the archive's parent folder; prints the answers to the five questions, as rows. */
const program = `
import json, os, sys
os.chdir(sys.argv[1])
kind, block = sys.argv[2], sys.argv[3]
if kind == "sql":
    import duckdb
    answers = [duckdb.sql(one).fetchall() for one in block.split(";") if one.strip()]
else:
    scope = {}
    exec(block, scope)
    found = [scope[name] for name in ("rewards", "dollars", "failed", "tokens", "tools")]
    answers = [one.reset_index().values.tolist() if kind == "pandas" else one.rows() for one in found]
print(json.dumps(answers))`;

/** A call of a tool and its result, as an agent sends them with every later call. */
const called = (tool: string, content: string): object[] => [
  { role: "assistant", content: null, tool_calls: [{ id: tool, function: { name: tool } }] },
  { role: "tool", tool_call_id: tool, content },
];

describe.skipIf(isLeftOutWithoutPython("questions to an archive", python))("docs/data.md", () => {
  test("asks the same questions in SQL, pandas and polars, with the same answers", async () => {
    const job = database.newJob();
    for (const [name, group, reward] of [
      ["a", "g", 0.25],
      ["b", "g", 0.75],
      ["c", "h", 1],
    ] as const) {
      const session_id = await job.claim(name, group);
      const messages = [...called("look", "Error: no such file"), ...called("write", "done")];
      for (const [index, completion_tokens] of [4, reward * 8].entries())
        await job.step(session_id, {
          messages: JSON.stringify(messages.slice(0, index * 4)),
          meta: { cost_nano_usd: 500_000_000, completion_tokens },
        });
      await job.step(session_id, { status_code: 503, model: "judge" });
      await job.finish(session_id, reward);
    }
    await job.fail(await job.claim("d", "g"), "runtime_exited: it fell");
    await using folder = await temporaryFolder();
    await archiveJob(job.store, { job_id: job.job_id, address: join(folder.path, "archive") });
    const blocks = (await readFile(page, "utf8")).matchAll(/```(sql|python)\n(.*?)```/gs);
    let asked = 0;
    for (const { 1: language = "", 2: block = "" } of blocks) {
      asked += 1;
      const kind = language === "sql" ? "sql" : block.includes("pandas") ? "pandas" : "polars";
      const answers = JSON.parse((await python?.run(program, folder.path, kind, block)) ?? "");
      // Without a cost, SQL's sum is null, those of the others are zero.
      const [rewards, dollars, failed, tokens, tools] = answers;
      expect(rewards, kind).toEqual([
        ["g", 0.5, 2],
        ["h", 1, 1],
      ]);
      expect(dollars, kind).toEqual([
        ["judge", kind === "sql" ? null : 0],
        ["policy", 3],
      ]);
      expect(failed, kind).toEqual([[503, 3]]);
      expect(tokens, kind).toEqual([
        [1, 4],
        [2, 16 / 3],
      ]);
      expect(tools, kind).toEqual([
        ["look", 3, 3],
        ["write", 0, 3],
      ]);
    }
    expect(asked).toBe(3);
  }, 120_000);
});
