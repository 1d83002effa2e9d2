import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentEvent, SecretMask } from "@proj/gateway-protocol";
import { temporaryFolder, waitFor } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { AgentEvents } from "../../src/acp/agent-events.ts";
import {
  type AcpOptions,
  acpRuntime,
  functionEvaluator,
  RuntimeError,
  readPermissionPolicy,
  readRecipe,
} from "../../src/index.ts";
import { temporaryAttemptFolder } from "../../src/workdir/attempt-folder.ts";
import { startRequest } from "../start-request.ts";

const program = fileURLToPath(new URL("scripted-agent.ts", import.meta.url));
const recipe = readRecipe({
  name: "scripted",
  env: { KEY: "{{llm_api_key}}" },
  command: "false",
  acp: `'${process.execPath}' --conditions=@proj/source '${program}'`,
});

type Script = readonly (readonly [string, object?])[];

/** Has the agent do a script in each turn. */
async function play(
  [first = [], ...more]: readonly Script[],
  options: AcpOptions = {},
  {
    signal = new AbortController().signal,
    ...params
  }: { signal?: AbortSignal; time_limit_s?: number } = {},
) {
  const folder = temporaryAttemptFolder();
  onTestFinished(() => folder.remove());
  const { work } = await folder.open();
  let noted: readonly AgentEvent[] = [];
  const run = acpRuntime(recipe, options).run(
    {
      ...startRequest,
      llm_api_key: "sk-secret",
      env_params: {
        prompt: JSON.stringify(first).replaceAll("WORK", work),
        ...(more.length === 0
          ? {}
          : {
              user: {
                turns: more.map((script) => JSON.stringify(script).replaceAll("WORK", work)),
              },
            }),
        ...params,
      },
    },
    {
      folder,
      signal,
      note: ({ events }) => {
        noted = events as readonly AgentEvent[];
      },
    },
  );
  return { run, work, events: () => noted };
}

const answersOf = (metrics: object): unknown[] =>
  JSON.parse("answer" in metrics ? String(metrics.answer) : "");

test("an agent reads and writes files and runs commands in its own folders, and nowhere else", async () => {
  await using outside = await temporaryFolder();
  await writeFile(join(outside.path, "secret"), "hidden");
  const { run, work } = await play([
    [
      ["fs/write_text_file", { path: "WORK/deep/a.txt", content: "one\ntwo\nthree" }],
      ["fs/read_text_file", { path: "WORK/deep/a.txt", line: 2, limit: 1 }],
      [
        "terminal/create",
        {
          command: "sh",
          args: [
            "-c",
            `ln -s ${outside.path} out; ln -s ${outside.path}/secret in; mkfifo pipe; echo "$0" done`,
            "it's",
          ],
        },
      ],
      ["terminal/wait_for_exit", { terminalId: "terminal-1" }],
      ["terminal/output", { terminalId: "terminal-1" }],
      ["terminal/release", { terminalId: "terminal-1" }],
      ["terminal/output", { terminalId: "terminal-1" }],
      ["fs/read_text_file", { path: "WORK/out/secret" }],
      ["fs/read_text_file", { path: "WORK/in" }],
      ["fs/read_text_file", { path: "WORK/pipe" }],
      ["fs/read_text_file", { path: `${outside.path}/secret` }],
      ["fs/read_text_file", { path: `WORK/../../../../../../../..${outside.path}/secret` }],
      ["fs/read_text_file", { path: "relative" }],
      ["fs/write_text_file", { path: "WORK/out/new", content: "x" }],
      ["fs/write_text_file", { path: "WORK/in", content: "x" }],
    ],
  ]);
  const answers = answersOf((await run).metrics);
  expect(answers.slice(0, 6)).toMatchObject([
    {},
    { content: "two" },
    { terminalId: "terminal-1" },
    { exitCode: 0 },
    { output: "it's done\n", truncated: false, exitStatus: { exitCode: 0 } },
    {},
  ]);
  expect(answers).toHaveLength(15);
  for (const refused of answers.slice(6)) expect(refused).toHaveProperty("refused");
  expect(await readFile(join(work, "deep/a.txt"), "utf8")).toBe("one\ntwo\nthree");
  expect(await readFile(join(outside.path, "secret"), "utf8")).toBe("hidden");
});

test("what it tells of tools, plans and turns is kept in order, and hides the key", async () => {
  const { run } = await play([
    [
      [
        "update",
        {
          sessionUpdate: "plan",
          entries: [{ content: "look", priority: "high", status: "pending" }],
        },
      ],
      [
        "update",
        {
          sessionUpdate: "tool_call",
          toolCallId: "1",
          title: "look",
          kind: "read",
          rawInput: { key: "sk-secret" },
          locations: [{ path: "/a" }],
        },
      ],
      ["update", { sessionUpdate: "tool_call", toolCallId: "2", title: "other" }],
      [
        "update",
        {
          sessionUpdate: "tool_call_update",
          toolCallId: "1",
          status: "completed",
          content: [{ type: "content", content: { type: "text", text: "x".repeat(10_000) } }],
        },
      ],
      ["update", { sessionUpdate: "tool_call", toolCallId: "1", title: "look again" }],
      ["update", { sessionUpdate: "some_later_kind", toolCallId: "1" }],
    ],
    [],
  ]);
  const result = await run;
  expect(result).toMatchObject({ status: "completed", terminated: true, truncated: false });
  expect(result.metrics).toMatchObject({ agent: "scripted", answer: "[]" });
  const { events } = result.metrics as { events: AgentEvent[] };
  expect(events).toMatchObject([
    { kind: "turn" },
    { kind: "plan", entries: [{ content: "look", status: "pending" }] },
    { kind: "tool_call", id: "1", title: "look", tool: "read", status: "completed", paths: ["/a"] },
    { kind: "tool_call", id: "2", status: "pending", ended_at: null },
    { kind: "tool_call", id: "1", title: "look again", status: "pending", input: null },
    { kind: "turn", text: "[]" },
  ]);
  const [, , call] = events;
  if (call?.kind !== "tool_call") throw new Error("there is no call");
  expect(Date.parse(call.ended_at ?? "")).toBeGreaterThanOrEqual(Date.parse(call.at));
  expect(call.output).toHaveLength(4_098);
  expect(JSON.stringify(result)).not.toContain("sk-secret");
});

test("a policy or the evaluator answers what it asks", async () => {
  const options = [
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_once" },
  ];
  const ask = (kind: string, command: string) =>
    [
      "session/request_permission",
      { toolCall: { toolCallId: command, title: command, kind, rawInput: { command } }, options },
    ] as const;
  const script = [
    ask("execute", "ls"),
    ask("execute", "rm -rf /"),
    ask("fetch", "good"),
    ask("fetch", "bad"),
  ];
  const free = await play([script]);
  const chosen = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });
  expect(answersOf((await free.run).metrics)).toEqual(Array(4).fill(chosen("yes")));
  const policy = readPermissionPolicy({
    rules: [
      { tool: "execute", contains: "rm ", decision: "deny" },
      { tool: "fetch", decision: "ask" },
    ],
  });
  const evaluator = functionEvaluator(({ result }) => {
    expect(result.status).toBe("permission");
    return JSON.stringify(result.metrics.permission).includes("good") ? 1 : 0;
  });
  const held = await play([script], { policy, evaluator });
  const { metrics } = await held.run;
  expect(answersOf(metrics)).toEqual(["yes", "no", "yes", "no"].map(chosen));
  expect(held.events().filter(({ kind }) => kind === "permission")).toMatchObject([
    { id: "ls", decision: "allow", by: "policy" },
    { id: "rm -rf /", decision: "deny", by: "policy" },
    { id: "good", decision: "allow", by: "evaluator" },
    { id: "bad", decision: "deny", by: "evaluator" },
  ]);
});

test("a time limit cancels its turn; the result has what it told", async () => {
  const tool = { sessionUpdate: "tool_call", toolCallId: "1", title: "slow" };
  const { run } = await play([[["update", tool], ["wait"]]], {}, { time_limit_s: 3 });
  expect(await run).toMatchObject({
    truncated_by: "time_limit",
    metrics: { events: [{ kind: "turn" }, { kind: "tool_call", id: "1" }] },
  });
});

test("an abort ends it and its commands; what it told stays noted", async () => {
  const stop = new AbortController();
  const script: Script = [
    ["terminal/create", { command: "echo $$ > WORK/pid; exec sleep 600" }],
    ["update", { sessionUpdate: "tool_call", toolCallId: "1", title: "slow" }],
    ["wait"],
  ];
  const { run, work, events } = await play([script], {}, { signal: stop.signal });
  run.catch(() => {});
  const pid = await waitFor(
    async () => Number(await readFile(join(work, "pid"), "utf8").catch(() => "")) || null,
    "the command",
  );
  await waitFor(() => events().length > 1, "the agent's event");
  stop.abort("enough");
  await expect(run).rejects.toBe("enough");
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  expect(events()).toHaveLength(2);
});

test("an agent that ends early has failed, with its last words", async () => {
  const { run } = await play([[["exit"]]]);
  const error = await run.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RuntimeError);
  expect(error).toMatchObject({
    code: "runtime_exited",
    message: expect.stringContaining("I give up"),
  });
});

test.each([
  [{ defualt: "deny" }, /defualt/],
  [{ default: "maybe" }, /^default: /],
  [{ rules: [{ tool: "execute" }] }, /^rules\.0\.decision: /],
])("the policy %j is refused by name", (policy, message) => {
  expect(() => readPermissionPolicy(policy)).toThrow(message);
});

test("no member of an event shows a secret or grows without a bound", () => {
  const secret = "sk-0123456789abcdef";
  const events = new AgentEvents(new SecretMask([secret]));
  const long = `${secret} ${"long ".repeat(10_000)}`;
  const told = { name: long, title: long, kind: long, status: long, rawInput: long };
  events.tool({ toolCallId: long, ...told, locations: [{ path: long }] }, true);
  events.plan([{ content: long, status: long }]);
  events.turn(long);
  const text = JSON.stringify(events.list);
  expect(events.list).toHaveLength(3);
  expect(text).not.toContain(secret);
  expect(text.length).toBeLessThan(64_000);
});
