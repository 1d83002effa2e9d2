import { expect, test } from "vitest";
import { type JobToolsBody, sessionTools, tools, totalTools } from "../../src/answers/index.ts";
import { endOfArray } from "../../src/conversation/cut-array.ts";
import type { StepWritten } from "../../src/store.ts";
import { builtOn, newSession, sharedDatabase, soon, utf8 } from "../temporary-database.ts";

const database = sharedDatabase();

interface Told {
  readonly endpoint: string;
  readonly response: object;
  /** All messages of the request. */
  readonly messages: readonly object[];
  /** Seconds at which the request came. */
  readonly at: number;
  readonly base?: readonly object[];
}

const begun = Date.parse("2026-01-02T03:04:05.000Z");

/** Writes steps as the gateway stores them: from the first byte on that differs from the step before. */
async function write(job_id: string, steps: readonly Told[]): Promise<string> {
  const { session_id, row } = newSession(database.store);
  let last: { readonly text: string; readonly written: StepWritten | undefined } | null = null;
  for (const [index, { endpoint, response, messages, at, base }] of steps.entries()) {
    const text = JSON.stringify(messages);
    const started_at = new Date(begun + 1000 * at).toISOString();
    const shared: number = last === null || base?.length === 0 ? 0 : sharedLength(text, last.text);
    const isWhole = last === null || shared === 0;
    const [written] = await database.store.writeSteps(
      [
        row(index + 1, {
          job_id,
          meta_json: JSON.stringify({ endpoint, started_at, queue_ms: 100, upstream_ms: 900 }),
          response: utf8(JSON.stringify(response)),
          messages: utf8(isWhole ? text : text.slice(shared)),
          request: isWhole ? utf8("{}") : null,
          history: isWhole ? null : builtOn(last?.written, shared),
        }),
      ],
      soon(),
    );
    last = { text, written };
  }
  await database.execute(
    `insert into job_environments (session_id, job_id, simulation_id, attempt, status, created_at)
     values (?, ?, ?, 1, 'finished', '2026-01-02T03:04:05.678Z')`,
    ...[session_id, job_id, `s-${session_id}`],
  );
  return session_id;
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length - 1 && one[length] === other[length]) length += 1;
  return length;
}

const use = (id: string, name: string) => ({ type: "tool_use", id, name, input: {} });
const said = (content: object[]) => ({ role: "assistant", type: "message", content });
const returned = (id: string, more: object = {}) => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: id, content: 'it says "{[,"', ...more }],
});
const cached = { cache_control: { type: "ephemeral" } };
const go = { role: "user", content: "Go." };

test("Anthropic's API marks failures, also where a marker moves from message to message", async () => {
  const endpoint = "messages";
  const first = said([use("a", "bash"), use("b", "edit")]);
  const both = (more: object) => ({
    role: "user",
    content: [
      ...returned("a", { is_error: true }).content,
      { ...returned("b").content[0], ...more },
    ],
  });
  const second = said([use("c", "bash")]);
  const session_id = await write("anthropic", [
    { endpoint, messages: [go], response: first, at: 0 },
    { endpoint, messages: [go, first, both(cached)], response: second, at: 3 },
    // The row begins in the middle of the message before.
    {
      ...{ endpoint, messages: [go, first, both({}), second, returned("c", cached)], at: 10 },
      response: said([use("never", "edit")]),
    },
  ]);
  const body = await sessionTools(database.store.browser, session_id);
  expect(body.tools).toEqual([
    {
      ...{ name: "bash", sessions: 1, calls: 2, results: 2, failed: 1 },
      ...{ timed: 2, total_ms: 2_000 + 6_000, longest_ms: 6_000 },
    },
    {
      ...{ name: "edit", sessions: 1, calls: 2, results: 1, failed: 0 },
      ...{ timed: 1, total_ms: 2_000, longest_ms: 2_000 },
    },
  ]);
});

const chatCall = (id: string, name: string) => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name, arguments: "{}" } }],
});
const chatAnswer = (message: object) => ({ choices: [{ index: 0, message }] });
const tool = (id: string) => ({ role: "tool", tool_call_id: id, content: "error: no" });

test("OpenAI's APIs cannot mark them, and a number that is used again is another call", async () => {
  const endpoint = "chat_completions";
  const [one, two] = [chatCall("call_0", "bash"), chatCall("call_0", "look")];
  const history = [go, one, tool("call_0")];
  await write("openai", [
    { endpoint, messages: [go], response: chatAnswer(one), at: 0 },
    { endpoint, messages: history, response: chatAnswer(two), at: 2 },
    // Stored whole, with the result of the first call; sent twice.
    ...[5, 6].map((at) => ({
      ...{ endpoint, at, base: [], messages: [...history, two, tool("call_0")] },
      response: chatAnswer({ role: "assistant", content: "Done." }),
    })),
  ]);
  const item = { type: "function_call", call_id: "r", name: "bash", arguments: "{}" };
  await write("openai", [
    { endpoint: "responses", messages: [go], response: { output: [item] }, at: 0 },
    {
      ...{ endpoint: "responses", at: 2, response: { output: [] } },
      messages: [go, item, { type: "function_call_output", call_id: "r", output: "ok" }],
    },
  ]);
  const { tools: found, next_after } = await tools(
    database.store.browser,
    "openai",
    new URLSearchParams(),
  );
  expect(next_after).toBeNull();
  expect(found).toEqual([
    {
      ...{ name: "bash", sessions: 2, calls: 2, results: 2, failed: null },
      ...{ timed: 2, total_ms: 2_000, longest_ms: 1_000 },
    },
    {
      ...{ name: "look", sessions: 1, calls: 1, results: 1, failed: null },
      ...{ timed: 1, total_ms: 2_000, longest_ms: 2_000 },
    },
  ]);
});

test("Google's calls may have no numbers, and results belong to the calls of their name", async () => {
  const endpoint = "generate_content";
  const called = {
    role: "model",
    parts: ["x", "y"].map((q) => ({ functionCall: { name: "search", args: { q } } })),
  };
  const result = (response: object) => ({ functionResponse: { name: "search", response } });
  const results = { role: "user", parts: [result({ output: 1 }), result({ error: "no" })] };
  const user = { role: "user", parts: [{ text: "Go." }] };
  const answer = { candidates: [{ content: { role: "model", parts: [{ text: "Done." }] } }] };
  const session_id = await write("google", [
    { endpoint, messages: [user], response: { candidates: [{ content: called }] }, at: 0 },
    { endpoint, messages: [user, called, results], response: answer, at: 3 },
  ]);
  expect((await sessionTools(database.store.browser, session_id)).tools).toMatchObject([
    { name: "search", calls: 2, results: 2, failed: 1, longest_ms: 2_000 },
  ]);
});

test("a job's attempts come in pages that add up, and a long attempt in one", async () => {
  const { store } = database;
  const job_id = "many";
  const long = newSession(store);
  const response = utf8(JSON.stringify(chatAnswer(chatCall("id", "bash"))));
  const messages = utf8(JSON.stringify([tool("id")]));
  await store.writeSteps(
    Array.from({ length: 1_050 }, (_, index) =>
      long.row(index + 1, { job_id, response, messages, meta_json: "{}" }),
    ),
    soon(),
  );
  for (let index = 0; index < 201; index += 1)
    await database.execute(
      `insert into job_environments (session_id, job_id, simulation_id, attempt, status, created_at)
       values (?, 'many', ?, 1, 'finished', '2026-01-02T03:04:05.678Z')`,
      ...[index === 0 ? long.session_id : `many-${index}`, `s-${1000 + index}`],
    );
  const pages: JobToolsBody[] = [];
  for (let after: string | null = ""; after !== null; after = pages.at(-1)?.next_after ?? null)
    pages.push(await tools(store.browser, job_id, new URLSearchParams({ after })));
  expect(pages.length).toBe(2);
  const counted = { name: "bash", calls: 1_050, results: 1_049, timed: 0, longest_ms: null };
  expect(totalTools(pages.map((page) => page.tools))).toMatchObject([counted]);
  expect(totalTools([pages[0]?.tools ?? [], pages[0]?.tools ?? []])).toMatchObject([
    { name: "bash", sessions: 2, calls: 2_100, results: 2_098, failed: null },
  ]);
});

test("the end of an array is found wherever its beginning was cut off", () => {
  const elements = [{ a: 'x",{[' }, { b: [{ c: "\\" }, "]},"] }, { d: { e: 1 } }, '\\"f', 7];
  const text = JSON.stringify(elements);
  const starts = elements.map((_, index) => JSON.stringify(elements.slice(0, index)).length);
  for (let cut = 2; cut < text.length; cut += 1) {
    // Nobody can know what an escape belongs to whose backslash is missing.
    if (text[cut - 1] === "\\") continue;
    const first = starts.findIndex((start, at) => at > 0 && cut < start);
    const expected = first < 0 ? [] : elements.slice(first);
    expect([cut, JSON.parse(endOfArray(text.slice(cut)))]).toEqual([cut, expected]);
  }
});
