import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { StoreUnavailableError } from "@proj/session-store";
import { waitFor, within } from "@proj/test-kit";
import { expect, test } from "vitest";
import { commandEvaluator } from "../../src/evaluator/evaluators.ts";
import { hasEnded } from "../child-process/has-ended.ts";
import { nodeProgram } from "../child-process/node-program.ts";
import { evaluationRequest, step } from "./evaluation-request.ts";
import { failureOf } from "./failure-of.ts";

const { signal } = new AbortController();

test("a command gets simulation, result and steps as one document, and prints the score on its last line", async () => {
  const { command, folder } = await nodeProgram(`
    import { readFileSync, writeFileSync } from "node:fs";
    const input = readFileSync(0, "utf8");
    writeFileSync("input", input);
    const { simulation, result, steps } = JSON.parse(input);
    console.log("judging", simulation.session_id);
    console.log(JSON.stringify({ score: result.total_reward * 2, steps: steps.length, why: ["short"] }));
  `);
  const other = { ...step, id: 2, step_id: 2, request: null, response: null, messages: null };
  const request = evaluationRequest(() => [step, other]);
  const evaluator = commandEvaluator(command, { cwd: folder });
  expect(evaluator.description).toBe(`command "${command}"`);
  expect(await evaluator.evaluate(request, { signal })).toEqual({
    score: 0.5,
    details: { steps: 2, why: ["short"] },
  });
  const input = await readFile(join(folder, "input"), "utf8");
  expect(JSON.parse(input)).toEqual({
    simulation: request.simulation,
    result: request.result,
    workdir: null,
    steps: [
      {
        ...step,
        meta_json: { status_code: 200 },
        request: JSON.parse(step.request ?? ""),
        response: { choices: [{ message: { content: "ü \u0000 </s>" } }] },
        messages: [{ role: "user", content: "hello" }],
      },
      { ...other, meta_json: { status_code: 200 } },
    ],
  });
  // Byte for byte as stored: numbers beyond 2^53 stay exact.
  for (const json of [step.request, step.response, step.messages]) expect(input).toContain(json);
});

test("a payload that is not JSON becomes a string and leaves the document valid", async () => {
  const { command } = await nodeProgram(`
    import { readFileSync } from "node:fs";
    const { steps } = JSON.parse(readFileSync(0, "utf8"));
    console.log(JSON.stringify({ score: steps.length, response: steps[0].response }));
  `);
  const broken = { ...step, response: '{"choices":[{"mess' };
  const { details } = await commandEvaluator(command).evaluate(
    evaluationRequest(() => [broken]),
    { signal },
  );
  expect(details).toEqual({ response: '{"choices":[{"mess' });
});

test.each([
  ["1", 1],
  ["-2.5e-3", -0.0025],
  [`{"score":0}`, 0],
])("%s is a score", async (answer, score) => {
  const evaluator = commandEvaluator(`cat >&2; echo; echo '${answer}'`);
  expect(await evaluator.evaluate(evaluationRequest(), { signal })).toEqual({ score, details: {} });
});

test.each([
  [`"0.5"`, `answered "0.5" instead of a number, or an object with a number as its "score"`],
  ["null", "answered null instead of a number"],
  ["[1]", "answered [1] instead of a number"],
  [`{"score":"high"}`, `answered {"score":"high"} instead of a number`],
  [`{"reward":1}`, `answered {"reward":1} instead of a number`],
  ["NaN", "answered something that is not JSON: NaN"],
  ["1e999", "answered something that JSON cannot hold: Infinity"],
  [`{"score":-1e999}`, `answered something that JSON cannot hold: -Infinity as "score"`],
  ["good", "answered something that is not JSON: good"],
])("%s is not a score, and the error says so", async (answer, what) => {
  const { code, message, last_output } = await failureOf(commandEvaluator(`echo '${answer}'`));
  expect(code).toBe("evaluator_bad_result");
  expect(message).toContain(what);
  expect(last_output).toBe(answer);
});

test("a command that exits with an error gives no score", async () => {
  const { code, message, last_output } = await failureOf(
    commandEvaluator("cat > /dev/null; echo 1; echo 'no such metric' >&2; exit 4"),
  );
  expect(code).toBe("evaluator_exited");
  expect(message).toMatch(/^no such metric \(command "cat .*" exited with code 4\)$/);
  expect(last_output).toContain("no such metric");
});

test("unreadable steps end the command and become the error", async () => {
  const cause = new StoreUnavailableError("the file is locked");
  const { command, folder } = await nodeProgram(`
    import { writeFileSync } from "node:fs";
    writeFileSync("pid", String(process.pid));
    setInterval(() => {}, 1000);
    process.stdin.resume();
  `);
  const pid = (): Promise<string> => readFile(join(folder, "pid"), "utf8").catch(() => "");
  async function* steps() {
    yield step;
    await waitFor(async () => (await pid()) !== "" || null, "the command to run");
    throw cause;
  }
  const error = await failureOf(
    commandEvaluator(command, { cwd: folder }),
    evaluationRequest(steps),
  );
  expect(error.code).toBe("steps_unreadable");
  expect(error.message).toBe(
    "the steps of session session-1 could not be read: the file is locked",
  );
  expect(error.cause).toBe(cause);
  expect(hasEnded(Number(await pid()))).toBe(true);
});

test("an abort ends the command and stops reading steps", async () => {
  const reason = new Error("its time is up");
  const abort = new AbortController();
  const reading = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  async function* steps() {
    try {
      for (;;) {
        yield { ...step, response: JSON.stringify("x".repeat(1_000_000)) };
        reading.resolve();
      }
    } finally {
      ended.resolve();
    }
  }
  // It reads a little and then stops, so that writing the document blocks.
  const evaluator = commandEvaluator("head -c 3000000 > /dev/null; exec sleep 600");
  const judging = evaluator.evaluate(evaluationRequest(steps), { signal: abort.signal });
  const failing = expect(judging).rejects.toBe(reason);
  await within(reading.promise, "the steps to be read");
  abort.abort(reason);
  await within(failing, "the aborted evaluation");
  await within(ended.promise, "the end of reading");
});
