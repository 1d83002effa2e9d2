import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandRuntime } from "../../src/runtime/command-runtime.ts";
import { untilEnded } from "../child-process/has-ended.ts";
import { nodeProgram } from "../child-process/node-program.ts";
import { startRequest } from "../start-request.ts";

const { signal } = new AbortController();

test("a command gets the request on its input and in its environment, and answers on its last line", async () => {
  const { command, folder } = await nodeProgram(`
    import { readFileSync, writeFileSync } from "node:fs";
    const input = readFileSync(0, "utf8");
    writeFileSync("input", input);
    writeFileSync("variable", process.env.SIMULATION_START_REQUEST);
    console.log("thinking…");
    console.log(JSON.stringify({
      session_id: JSON.parse(input).session_id, status: "completed", total_reward: -0.5,
      step_count: 3, terminated: false, truncated: true, error_text: "one tool failed",
      metrics: { turns: [1, 2] }, other: true,
    }));
    console.log("  \\n");
  `);
  const runtime = commandRuntime(command, { cwd: folder });
  expect(runtime.description).toBe(`command "${command}"`);
  expect(await runtime.run(startRequest, { signal })).toEqual({
    session_id: "session-1",
    status: "completed",
    total_reward: -0.5,
    step_count: 3,
    terminated: false,
    truncated: true,
    truncated_by: "agent",
    error_text: "one tool failed",
    metrics: { turns: [1, 2] },
  });
  const input = await readFile(join(folder, "input"), "utf8");
  expect(input.endsWith("}\n") && input.trim().split("\n")).toHaveLength(1);
  expect(JSON.parse(input)).toEqual(startRequest);
  expect(JSON.parse(await readFile(join(folder, "variable"), "utf8"))).toEqual(startRequest);
});

test("a result needs only a status", async () => {
  const runtime = commandRuntime(`echo '{"status":"OK","metrics":null}'`);
  expect(await runtime.run(startRequest, { signal })).toEqual({
    session_id: "session-1",
    status: "OK",
    total_reward: null,
    step_count: 0,
    terminated: true,
    truncated: false,
    truncated_by: null,
    error_text: null,
    metrics: {},
  });
});

test("a request beyond 64 KiB comes only on standard input, and complete", async () => {
  const { command } = await nodeProgram(`
    import { readFileSync } from "node:fs";
    const { env_params } = JSON.parse(readFileSync(0, "utf8"));
    const isSet = "SIMULATION_START_REQUEST" in process.env;
    process.stdout.write(JSON.stringify({ status: "ok", step_count: env_params.length, terminated: isSet }));
  `);
  const large = { ...startRequest, env_params: "x".repeat(3_000_000) };
  expect(await commandRuntime(command).run(large, { signal })).toMatchObject({
    step_count: 3_000_000,
    terminated: false,
  });
});

test("a command need not read its input", async () => {
  const large = { ...startRequest, env_params: "x".repeat(3_000_000) };
  const unread = commandRuntime(`echo '{"status":"ok"}'`);
  expect(await unread.run(large, { signal })).toMatchObject({ status: "ok" });
  const closed = commandRuntime(`exec 0<&-; sleep 0.05; echo '{"status":"ok"}'`);
  expect(await closed.run(large, { signal })).toMatchObject({ status: "ok" });
});

test("a NUL, invalid UTF-8 and blank lines around the result do not matter", async () => {
  const runtime = commandRuntime(
    `printf 'a\\000b\\377\\376\\n  {"status":"ok","error_text":"\\303("}\\r\\n\\n \\n'; printf '\\000\\377' >&2`,
  );
  expect(await runtime.run(startRequest, { signal })).toMatchObject({ error_text: "\uFFFD(" });
});

test("512 MiB of output are read with a quarter of that memory", async () => {
  const before = process.memoryUsage().rss;
  const runtime = commandRuntime(
    `head -c 536870912 /dev/zero; yes | head -c 1000000 >&2; echo; echo '{"status":"ok"}'`,
  );
  expect(await runtime.run(startRequest, { signal })).toMatchObject({ status: "ok" });
  // Some 70 MiB are garbage that is not collected yet, however much the command prints.
  expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1024 * 1024);
});

test("a process that was left behind and holds the output open is killed, without a wait", async () => {
  const leaving = `sleep 600 & echo "{\\"status\\":\\"ok\\",\\"step_count\\":$!}"`;
  const holding = await commandRuntime(leaving).run(startRequest, { signal });
  await untilEnded(holding.step_count);
  const silent = leaving.replace("&", ">/dev/null 2>&1 </dev/null &");
  const quiet = await commandRuntime(silent).run(startRequest, { signal });
  await untilEnded(quiet.step_count);
});

test("output of a pipeline that arrives after the command's end is still read", async () => {
  const runtime = commandRuntime(`(sleep 0.1; echo '{"status":"ok"}') & exit 0`);
  expect(await runtime.run(startRequest, { signal })).toMatchObject({ status: "ok" });
});
