import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { launch } from "./launcher.ts";
import { writeSession } from "./stored-session.ts";

// Runs several programs one after the other, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let folder: TemporaryFolder;
let db_url: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  db_url = `sqlite://${join(folder.path, "gateway.db")}`;
});
afterAll(() => folder.remove());

const show = (session_id: string, ...more: string[]) =>
  launch(["show", session_id, "--db-path", db_url, ...more]);

const call = {
  id: "c1",
  type: "function",
  function: { name: "measure", arguments: '{"what":"it"}' },
};
const system = { role: "system", content: "Be brief." };
const user = { role: "user", content: "How deep is it?\nAnd how wide?" };
const answer = (message: object): string => JSON.stringify({ choices: [{ message }] });

test("show prints the steps as a conversation, each with its new messages", async () => {
  const calling = { role: "assistant", content: null, tool_calls: [call] };
  const result = { role: "tool", tool_call_id: "c1", content: "3 m" };
  const meta = {
    prompt_tokens: 12,
    completion_tokens: 3,
    upstream_ms: 1500,
    finish_reason: "stop",
  };
  await writeSession(db_url, "talk", [
    {
      messages: JSON.stringify([system, user]),
      response: answer({ ...calling, reasoning_content: "I must look." }),
      meta: { ...meta, finish_reason: "tool_calls" },
    },
    {
      messages: JSON.stringify([system, user, calling, result]),
      status_code: 502,
      meta: { upstream_status_code: null, outcome: "upstream_broken", error: "it broke off" },
    },
    {
      messages: JSON.stringify([system, user, calling, result]),
      response: answer({ role: "assistant", content: "Three metres." }),
      meta,
    },
  ]);
  const { code, stdout } = await show("talk");
  expect(code).toBe(0);
  expect(stdout).toBe(`
step 1  demo  12 tokens in, 3 out  1.5 s  tool_calls
  system
    Be brief.
  user
    How deep is it?
    And how wide?
  assistant, reasoning
    I must look.
  assistant calls measure
    {"what":"it"}

step 2  demo
    (3 earlier messages)
  tool
    3 m
  failed: 502 upstream_broken: it broke off

step 3  demo  12 tokens in, 3 out  1.5 s  stop
    (4 earlier messages, and none new)
  assistant
    Three metres.
`);
});

test("show marks replayed steps, and where the session leaves the record", async () => {
  const said = (content: string) => ({
    messages: "[]",
    response: answer({ role: "assistant", content }),
  });
  const from = (step_id: number, more: object = {}) => ({
    replayed_from: { session_id: "source", step_id, request_id: "r", ...more },
  });
  await writeSession(db_url, "forked", [
    { ...said("one"), meta: from(1) },
    { ...said("two"), meta: from(3, { ignored: ["prompt_cache_key", "metadata.user_id"] }) },
    said("three"),
    said("four"),
  ]);
  const { code, stdout } = await show("forked");
  expect(code).toBe(0);
  expect(stdout).toBe(`
(answered from the record of session source)

step 1  demo  replayed from step 1
  assistant
    one

step 2  demo  replayed from step 3, which differs in prompt_cache_key, metadata.user_id
  assistant
    two

(the record of session source ends here: from now on the model answers)

step 3  demo
  assistant
    three

step 4  demo
  assistant
    four
`);
});

test("what a model wrote cannot steer the terminal", async () => {
  const said = `\u001b[2J\u001b]0;owned\u0007 ${"x".repeat(3000)} \u202eend`;
  await writeSession(db_url, "hostile", [
    { messages: "[]", response: answer({ role: "assistant", content: said }) },
  ]);
  const { stdout } = await show("hostile", "--full");
  expect(stdout).toContain("\\x1b[2J\\x1b]0;owned\\x07 xxx");
  expect(stdout).toContain(" \\u202eend\n");
  expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
});

test("colours are for terminals, or on request", async () => {
  await writeSession(db_url, "colours", [{ messages: "[]", response: answer({}) }]);
  const env = { FORCE_COLOR: "1", NO_COLOR: undefined };
  const coloured = await launch(["show", "colours", "--db-path", db_url], { env });
  expect(coloured.stdout).toContain("\u001b[1m\nstep 1");
  expect((await show("colours")).stdout).not.toContain("\u001b");
});

test("--json prints the environment and the steps, JSON as stored", async () => {
  const messages = '[ {"n": 12345678901234567890 } ]';
  await writeSession(db_url, "exact", [{ messages }, { status_code: 500, messages }]);
  const { code, stdout } = await show("exact", "--json");
  expect(code).toBe(0);
  expect(stdout).toContain(`"messages":${messages}`);
  const { environment, steps } = JSON.parse(stdout);
  expect(environment).toBeNull();
  expect(steps).toHaveLength(2);
  expect(steps[1]).toMatchObject({ session_id: "exact", step_id: 2, status_code: 500 });
});

test("show says that a session does not exist", async () => {
  const { code, stderr } = await show("nobody");
  expect(stderr).toContain("there is no session or simulation 'nobody'");
  expect(code).toBe(1);
});

test("payloads with thousands of levels are shown, and long texts are cut", async () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const long = answer({ role: "assistant", content: "x".repeat(3000) });
  await writeSession(db_url, "deep", [
    { messages: `[${deep}]`, response: deep },
    { messages: "[]", response: long },
  ]);
  const { code, stdout } = await show("deep");
  expect(code).toBe(0);
  expect(stdout).toContain("step 1  demo");
  expect(stdout).toContain("xxx … (1000 more characters: --full)");
});
