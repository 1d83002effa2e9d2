import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ExportFileError, openExport } from "@proj/console";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";

/** A line as `launcher export` writes it. */
const line = (session_id: string, step_id: number, members: string): string =>
  `{"session_id":"${session_id}","job_id":"j","simulation_id":"${session_id}","attempt":2,"group_id":"g","env_name":null,"model":"policy","step_id":${step_id},${members}}\n`;
const rewarded = (reward: number, is_terminal: boolean): string =>
  `"reward":${reward},"is_terminal":${is_terminal},"is_truncated":false,"cost_nano_usd":7`;
const answer =
  '{"created":1767323045,"seed":12345678901234567890,"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"1.50"}}],"usage":{"prompt_tokens":5,"completion_tokens":2}}';

test("the launcher's export reads like the storage that it came from", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "steps.jsonl");
  const said = '"messages":[{"role":"user","content":"Go."}],"request":{"messages":null}';
  const more =
    '"messages":[{"role":"user","content":"Go."},{"role":"user","content":"On."}],"request":{"messages":null}';
  await writeFile(
    file,
    line("one", 1, `${said},"response":${answer},${rewarded(1, false)}`) +
      line("one", 2, `${more},"response":${answer},${rewarded(1, true)}`) +
      line("two", 1, `${said},"response":null,${rewarded(0, true)}`),
  );
  await using opened = await openExport(file);
  const { browser } = opened.store;
  expect(await browser.readJobs()).toMatchObject([
    { job_id: "j", simulations: 2, finished: 2, mean_reward: 0.5 },
  ]);
  const { attempts } = await browser.readUsage({ job_id: "j" });
  expect(attempts).toMatchObject([
    { simulation_id: "one", attempt: 1, calls: 2, prompt_tokens: 10, cost_nano_usd: 14 },
    { simulation_id: "two", calls: 1, prompt_tokens: 0, cost_nano_usd: 7 },
  ]);
  const { steps } = await opened.store.readSteps({ session_id: "one" });
  expect(steps.map(({ response }) => response)).toEqual([answer, answer]);
  expect(steps.map(({ reward }) => reward)).toEqual([null, 1]);
  expect(steps[0]?.created_at).toBe("2026-01-02T03:04:05.000Z");
  const { rows } = await browser.readRows({ session_id: "one", payload: true });
  expect(rows[1]).toMatchObject({ messages_base: 1, request: null });
  const found = await browser.findSessions({ reward: { operator: "<", value: 1 } });
  expect(found.session_ids).toEqual(["two"]);
});

test("the console's export reads with everything that was recorded", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "session.jsonl");
  const step = {
    ...{ id: 9, request_id: "r", session_id: "s", model: "policy", step_id: 1, status_code: 502 },
    ...{ created_at: "2026-01-02T03:04:05.000Z", meta_json: '{"error":"It is overloaded."}' },
    ...{ request: '{"messages":null}', response: "not JSON", messages: '["hello"]' },
  };
  await writeFile(file, `${JSON.stringify(step)}\n\n`);
  await using opened = await openExport(file);
  const { id: _id, ...stored } = step;
  expect((await opened.store.readSteps({ session_id: "s" })).steps).toMatchObject([stored]);
  expect(await opened.store.readJobs()).toEqual([]);
});

test("any other file is refused, with the line at fault and what to do", async () => {
  await using folder = await temporaryFolder();
  const refusal = async (content: string): Promise<string> => {
    const file = join(folder.path, "other");
    await writeFile(file, content);
    const error = await openExport(file).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ExportFileError);
    return error instanceof Error ? error.message : "";
  };
  const good = line("one", 1, rewarded(1, true));
  expect(await refusal(`${good}{"messages":[]}\n`)).toContain(
    "line 2: it is not a step: session_id, model or step_id is missing",
  );
  expect(await refusal(`${good}{"mess`)).toMatch(/line 2: .*launcher export wrote it without/s);
  expect(await refusal(good + line("two", 1, rewarded(1, true)) + good)).toContain(
    "line 3: session 'one' already ended on an earlier line",
  );
  expect(await refusal("[1]\n")).toContain("line 1: it is not a JSON object");
  expect(await refusal("PAR1 and more")).toMatch(
    /is a Parquet file.*launcher export --job-id JOB --output steps\.jsonl$/s,
  );
  await expect(openExport(join(folder.path, "none"))).rejects.toThrow("ENOENT");
});
