import { expect, test } from "vitest";
import { commandRuntime } from "../../src/runtime/command-runtime.ts";
import { llm_api_key, startRequest } from "../start-request.ts";
import { failureOf } from "./failure-of.ts";

test.each([
  ["exit 3", "exited with code 3 and printed nothing", ""],
  [`echo '{"status":"ok"}'; exit 3`, "exited with code 3)", `{"status":"ok"} (`],
  ["kill -9 $$", "was ended by SIGKILL and printed nothing", ""],
  ["echo 'no such maze' >&2; kill -s SEGV $$", "was ended by SIGSEGV)", "no such maze ("],
  [`printf '%0500d' 1 >&2; exit 4`, "exited with code 4)", `${"1".padStart(500, "0")} (`],
  ["cd /missing && ./agent", "exited with code 2)", ""],
])(
  "%s: a command that exits with an error has failed, and its last words come first",
  async (command, ending, words) => {
    const { code, message } = await failureOf(commandRuntime(command));
    expect(code).toBe("runtime_exited");
    expect(message).toContain(`command "${command}" ${ending}`);
    expect(message.startsWith(words)).toBe(true);
  },
);

test("the error of a command that cannot be started names the folder", async () => {
  const { code, message } = await failureOf(commandRuntime("true", { cwd: "/missing/folder" }));
  expect(code).toBe("runtime_not_started");
  expect(message).toContain("could not be started in /missing/folder");
});

test.each([
  ["true", "printed nothing on its standard output"],
  ["printf ' \\n\\n'", "printed nothing on its standard output"],
  [`exec >&-; sleep 0.05; echo '{"status":"ok"}' >&2`, "printed nothing on its standard output"],
  ["echo it went well", "answered something that is not JSON: it went well"],
  [`printf '{"status":"ok"'`, `answered something that is not JSON: {"status":"ok"`],
  [`printf '{"status":"ok\\000"}'`, "answered something that is not JSON"],
  [`echo '{"status":"ok","total_reward":NaN}'`, "answered something that is not JSON"],
  ["head -c 2000000 /dev/zero | tr '\\0' x", "printed a last line of more than 1 MiB"],
])("%s: output that is not JSON is not a result", async (command, what) => {
  const { code, message } = await failureOf(commandRuntime(command));
  expect(code).toBe("runtime_bad_result");
  expect(message).toContain(what);
});

test.each([
  ["7", `answered 7 instead of an object with a "status"`],
  [`["ok"]`, `answered ["ok"] instead of an object with a "status"`],
  ["{}", `answered a result without a "status": {}`],
  [`{"status":200}`, `"status" is 200 instead of a string`],
  [
    `{"status":"ok","session_id":"session-2"}`,
    `"session_id" is "session-2" instead of "session-1"`,
  ],
  [`{"status":"ok","session_id":1}`, `"session_id" is 1 instead of a string`],
  [`{"status":"ok","total_reward":"1.5"}`, `"total_reward" is "1.5" instead of a number`],
  [`{"status":"ok","total_reward":1e999}`, `Infinity as "total_reward"`],
  [`{"status":"ok","step_count":2.5}`, `"step_count" is 2.5 instead of a count`],
  [`{"status":"ok","step_count":-1}`, `"step_count" is -1 instead of a count`],
  [`{"status":"ok","terminated":1}`, `"terminated" is 1 instead of true or false`],
  [`{"status":"ok","truncated":"no"}`, `"truncated" is "no" instead of true or false`],
  [`{"status":"ok","error_text":{}}`, `"error_text" is {} instead of a string`],
  [`{"status":"ok","metrics":[]}`, `"metrics" is [] instead of an object`],
])("%s: the error of a malformed result names the member", async (result, what) => {
  const { code, message, last_output } = await failureOf(commandRuntime(`echo '${result}'`));
  expect(code).toBe("runtime_bad_result");
  expect(message).toContain(what);
  expect(last_output).toBe(result);
});

test("metrics that are nested too deeply to be serialized are refused", async () => {
  const deep = `node -e 'console.log("{\\"status\\":\\"ok\\",\\"metrics\\":{\\"a\\":" + "[".repeat(1e5) + "]".repeat(1e5) + "}}")'`;
  const { code, message } = await failureOf(commandRuntime(deep));
  expect(code).toBe("runtime_bad_result");
  expect(message).toContain("nested too deeply");
});

test("a failure without a message names its status, and those that are successes", async () => {
  const failure = await failureOf(commandRuntime(`printf %s '{"status":"Error"}'`));
  expect(failure.message).toMatch(/ reported the status "Error"; success is completed, .*done$/);
});

test("any status but a success is a failure, which has the result", async () => {
  const result = `{"status":"Error","error_text":"the maze\\nhas no exit","total_reward":-1}`;
  const failure = await failureOf(commandRuntime(`printf %s '${result}'`));
  expect(failure.code).toBe("runtime_failed");
  expect(failure.message).toMatch(/^the maze\nhas no exit \(reported by command /);
  expect(failure.result).toMatchObject({ status: "Error", total_reward: -1, step_count: 0 });
});

test("the last 4 KiB of each output are kept, and begin with a whole character", async () => {
  const { last_output } = await failureOf(
    commandRuntime("yes ä€ | head -n 5000; yes error | head -n 5000 >&2; echo end >&2; exit 1"),
  );
  const [, printed = "", complained = ""] = last_output?.split(/--- standard \w+\n/) ?? [];
  expect(printed.length).toBeGreaterThan(1500);
  expect(printed).toMatch(/^ä?€?\n(ä€\n)+$/);
  expect(complained.length).toBeGreaterThan(4000);
  expect(complained).toMatch(/^[eror]*\n(error\n)+end$/);
});

test("the key to the model is masked in messages, output and results, in every encoding", async () => {
  const secret = `a"key\\with/+ß ${llm_api_key}`;
  const request = { ...startRequest, llm_api_key: secret };
  const echo = `node -e 'const { llm_api_key } = JSON.parse(process.env.SIMULATION_START_REQUEST);`;
  const shown: string[] = [];
  const show = async (program: string): Promise<void> => {
    const error = await failureOf(commandRuntime(`${echo}${program}'`), request);
    shown.push(JSON.stringify({ ...error, message: error.message }), `${error.stack}`);
  };
  await show("console.error(llm_api_key); process.exit(1)");
  await show("console.log(process.env.SIMULATION_START_REQUEST)");
  await show("console.log(encodeURIComponent(llm_api_key))");
  await show(
    `console.log(JSON.stringify({ status: llm_api_key, error_text: llm_api_key,
     metrics: { [llm_api_key]: [{ a: "?" + new URLSearchParams({ llm_api_key }) }] } }))`,
  );
  await show(`console.log(JSON.stringify({ status: "ok", session_id: llm_api_key }))`);
  expect(shown.join()).toContain("***");
  for (const text of shown) expect(text).not.toContain(llm_api_key);
});

test("a key that was cut in two is masked as well", async () => {
  for (const length of [4_090, 4_080, 4_070]) {
    const print = `printf "%s" "$LLM_KEY"; head -c ${length} /dev/zero | tr '\\0' x; exit 1`;
    const { last_output } = await failureOf(
      commandRuntime(print, { env: { LLM_KEY: `${llm_api_key}${llm_api_key}` } }),
    );
    expect(last_output).toMatch(/^\**x+$/);
  }
});
