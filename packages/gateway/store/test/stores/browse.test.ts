import { causeOfFailure } from "@proj/gateway-protocol";
import { expect, test } from "vitest";
import { storedSessions, summary } from "../../src/answers/index.ts";
import type { SessionSearch } from "../../src/store-browser.ts";
import { builtOn, newSession, sharedDatabase, soon, utf8 } from "../temporary-database.ts";

const database = sharedDatabase();
const job_id = "browsed";

async function find(search: SessionSearch): Promise<string[]> {
  const found: string[] = [];
  for (let before: number | null | undefined; before !== null; ) {
    const page = await database.store.browser.findSessions({ job_id, ...search, before });
    found.push(...page.session_ids.filter((session_id) => !found.includes(session_id)));
    before = page.next_before;
  }
  return found;
}

test("finds sessions by their latest matching step, page by page", async () => {
  const { store } = database;
  const [first, second, third] = [newSession(store), newSession(store), newSession(store)];
  const write = (row: Parameters<typeof store.writeSteps>[0][number]) =>
    store.writeSteps([{ ...row, job_id }], soon());
  await write(first.row(1, { model: "judge" }));
  await write(second.row(1, { status_code: 502, meta_json: '{"outcome":"upstream_timeout"}' }));
  await write(
    third.row(1, { response: utf8('{"tool_calls":[{"name": "bash"}],"text":"50%_off é"}') }),
  );
  await write(first.row(2, { messages: utf8('[{"content":"line\\nbreak"}]') }));
  const ids = [first.session_id, third.session_id, second.session_id];

  expect(await find({})).toEqual(ids);
  expect(await find({ limit: 1 })).toEqual(ids);
  expect(await find({ model: "judge" })).toEqual([first.session_id]);
  expect(await find({ error: true })).toEqual([second.session_id]);
  expect(await find({ error: "TIMEOUT" })).toEqual([second.session_id]);
  expect(await find({ error: "refused" })).toEqual([]);
  expect(await find({ status_code: 502 })).toEqual([second.session_id]);
  expect(await find({ tool: "bash" })).toEqual([third.session_id]);
  expect(await find({ text: "50%_OFF é" })).toEqual([third.session_id]);
  expect(await find({ text: "50x_off" })).toEqual([]);
  expect(await find({ text: "line\nbreak" })).toEqual([first.session_id]);
  expect(await find({ text: second.session_id })).toEqual([second.session_id]);
});

test("finds sessions by the reward of their attempt", async () => {
  const { row, session_id } = newSession(database.store);
  await database.store.writeSteps([row(1, { job_id: "rewarded" })], soon());
  await database.execute(
    `insert into job_environments (session_id, job_id, simulation_id, attempt, status, reward, created_at)
     values (?, 'rewarded', 's', 1, 'finished', 0.5, '2026-01-02T03:04:05.678Z')`,
    session_id,
  );
  const search = { job_id: "rewarded" };
  expect(await find({ ...search, reward: { operator: "<", value: 1 } })).toEqual([session_id]);
  expect(await find({ ...search, reward: { operator: ">", value: 0.5 } })).toEqual([]);
});

test("finds sessions by the name, state and failure of their attempt", async () => {
  const of = { job_id: "named" };
  const [failed, other] = [newSession(database.store), newSession(database.store)];
  for (const { row } of [failed, other]) await database.store.writeSteps([row(1, of)], soon());
  for (const [{ session_id }, name, status, error] of [
    [failed, "capital.3", "failed", "runtime_timeout: its limit was up"],
    [other, "capital.4", "finished", null],
  ] as const)
    await database.execute(
      `insert into job_environments (session_id, job_id, simulation_id, attempt, status, error, created_at)
       values (?, 'named', ?, 1, ?, ?, '2026-01-02T03:04:05.678Z')`,
      ...[session_id, name, status, error],
    );
  expect(await find({ ...of, text: "Capital.3" })).toEqual([failed.session_id]);
  expect(await find({ ...of, status: "failed" })).toEqual([failed.session_id]);
  expect(await find({ ...of, status: "interrupted" })).toEqual([]);
  expect(await find({ ...of, cause: "runtime_timeout" })).toEqual([failed.session_id]);
  expect(await find({ ...of, cause: "runtime" })).toEqual([]);
  expect((await database.store.browser.findSessions({ ...of, cause: "%" })).session_ids).toEqual(
    [],
  );
});

const failures = [
  ["failed", "runtime_failed: This model's maximum context length is 8192 tokens."],
  ["failed", "runtime_exited: openai.RateLimitError: Error code: 429 (command agent exited)"],
  ["failed", "runtime_exited: TypeError: x is undefined (command agent exited with code 1)"],
  ["failed", "runtime_timeout: command agent: timed out after 25 s"],
  ["failed", "evaluator_bad_result: HTTP 429 in place of a score"],
  ["infrastructure", "upstream_failed: step 1 ended with 502"],
  ["infrastructure", "gateway_unavailable: no answer in time"],
  ["failed", "fork_diverged: the request differs at seed"],
  ["failed", "runtime_failed: I cannot solve it"],
  ["failed", "no_successful_step: no request was answered"],
] as const;

test("finds failed sessions by why they failed, as the page tells it", async () => {
  const of = { job_id: "failures" };
  const sessions: string[] = [];
  for (const [index, [status, error]] of failures.entries()) {
    const { row, session_id } = newSession(database.store);
    sessions.push(session_id);
    await database.store.writeSteps([row(1, of)], soon());
    await database.execute(
      `insert into job_environments (session_id, job_id, simulation_id, attempt, status, error, created_at)
       values (?, 'failures', ?, 1, ?, ?, '2026-01-02T03:04:05.678Z')`,
      ...[session_id, `s-${index}`, status, error],
    );
  }
  const expected = Map.groupBy(failures.keys(), (index) => {
    const [status, error] = failures[index] ?? failures[0];
    return causeOfFailure(status, error);
  });
  expect(Object.fromEntries([...expected].map(([cause, of]) => [cause, of.length]))).toEqual({
    ...{ context_length: 1, rate_limit: 1, crash: 1, time_out: 1, judge: 1, infrastructure: 2 },
    ...{ fork: 1, agent: 2 },
  });
  for (const [cause, indexes] of expected) {
    const found = await find({ ...of, cause });
    expect([cause, ...found.toReversed()]).toEqual([cause, ...indexes.map((at) => sessions[at])]);
  }
});

test("finds attempts that made no call after the others, and sums them up", async () => {
  const of = { job_id: "uncalled" };
  const { row, session_id } = newSession(database.store);
  await database.store.writeSteps([row(1, of)], soon());
  const error = "runtime_exited: no such image";
  for (const [id, name, status, cause] of [
    [session_id, "called.1", "failed", error],
    ["u-1", "never.1", "failed", error],
    ["u-2", "never.2", "infrastructure", "gateway_unavailable: no answer"],
    ["u-3", "never.3", "pending", null],
  ] as const)
    await database.execute(
      `insert into job_environments (session_id, job_id, simulation_id, attempt, status, error, created_at)
       values (?, 'uncalled', ?, 1, ?, ?, '2026-01-02T03:04:05.678Z')`,
      ...[id, name, status, cause],
    );
  const ask = async (query: Record<string, string>): Promise<readonly string[]> => {
    const found: string[] = [];
    for (let before: string | null = ""; before !== null; ) {
      const page = new URLSearchParams({ job_id: "uncalled", ...query, before });
      const { sessions, next_before } = await storedSessions(
        database.store.browser,
        page,
        () => null,
      );
      found.push(...sessions.map((session) => session.session_id));
      before = next_before === null ? null : String(next_before);
    }
    return found;
  };
  expect(await ask({ cause: "crash" })).toEqual([session_id, "u-1"]);
  expect(await ask({ cause: "crash", limit: "1" })).toEqual([session_id, "u-1"]);
  expect(await ask({ status: "infrastructure" })).toEqual(["u-2"]);
  expect(await ask({ text: "NEVER." })).toEqual(["u-1", "u-2", "u-3"]);
  expect(await ask({ text: "NEVER.", limit: "2" })).toEqual(["u-1", "u-2", "u-3"]);
  expect(await ask({ text: "u-3" })).toEqual(["u-3"]);
  expect(await ask({})).toEqual([session_id, "u-1", "u-2", "u-3"]);
  expect(await ask({ model: "policy" })).toEqual([session_id]);
  expect(await ask({ status: "active" })).toEqual([]);
  const body = await summary(database.store.browser, "u-1", () => null);
  expect(body?.session).toMatchObject({
    ...{ simulation_id: "never.1", calls: 0, last_words: error, environment_status: "failed" },
  });
});

test("continues past rows that do not match, a bounded number at a time", async () => {
  const { store } = database;
  const [old, busy] = [newSession(store), newSession(store)];
  await store.writeSteps([old.row(1, { job_id: "old" })], soon());
  await store.writeSteps(
    Array.from({ length: 2100 }, (_, index) => busy.row(index + 1)),
    soon(),
  );
  const first = await store.browser.findSessions({ job_id: "old" });
  expect(first.session_ids).toEqual([]);
  const next = await store.browser.findSessions({
    job_id: "old",
    before: first.next_before ?? undefined,
  });
  expect(next.session_ids).toEqual([old.session_id]);
});

test("sums a session up", async () => {
  const { store } = database;
  const { row, session_id } = newSession(store);
  const meta_json = '{"prompt_tokens":10,"completion_tokens":2,"cost_nano_usd":7}';
  await store.writeSteps([row(1, { meta_json }), row(-1, { model: "embed", meta_json })], soon());
  await store.writeSteps([row(2, { meta_json: "{}", status_code: 500 })], soon());
  expect(await store.browser.readSummary(session_id)).toMatchObject({
    session_id,
    models: ["embed", "policy"],
    calls: 3,
    counted_calls: 3,
    errors: 1,
    prompt_tokens: 20,
    completion_tokens: 4,
    cost_nano_usd: 14,
    last_step: { step_id: 2, status_code: 500, response: '{"id":"answer"}' },
    environment: null,
  });
  expect(await store.browser.readSummary("nobody")).toBeNull();
});

test("reads rows as stored, with and without payloads, but no huge payload", async () => {
  const { store } = database;
  const { row, session_id } = newSession(store);
  const whole = utf8('[{"role":"user"}]');
  const [base] = await store.writeSteps([row(1, { messages: whole })], soon());
  const history = builtOn(base, whole.length - 1);
  const huge = new Uint8Array(300 * 1024).fill(0x61);
  await store.writeSteps(
    [row(2, { history, request: null, messages: utf8(',{"role":"tool"}]'), response: huge })],
    soon(),
  );
  const { rows, next_after } = await store.browser.readRows({ session_id, payload: true });
  expect(next_after).toBeNull();
  expect(rows).toMatchObject([
    { step_id: 1, messages: '[{"role":"user"}]', messages_base: null, is_terminal: false },
    {
      step_id: 2,
      messages_base: history.messages_base,
      messages_shared: history.messages_shared,
      request: null,
      messages: ',{"role":"tool"}]',
      messages_bytes: 17,
      response: null,
      response_bytes: huge.length,
    },
  ]);
  const bare = await store.browser.readRows({ session_id, limit: 1 });
  expect(bare).toMatchObject({ rows: [{ step_id: 1, messages: null, messages_bytes: 17 }] });
  expect(bare.next_after).toBe(base?.id);
});
