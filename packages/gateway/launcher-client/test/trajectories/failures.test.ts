import { expect, test } from "vitest";
import { readFailures } from "../../src/index.ts";
import { sharedDatabase } from "./stored-job.ts";

const database = sharedDatabase();

test("failed attempts are counted by their cause and error, with three examples each", async () => {
  const job = database.newJob();
  const failed: string[] = [];
  for (let index = 0; index < 4; index += 1) {
    const session_id = await job.claim(`s${index}`);
    await job.fail(session_id, `runtime_exited: command "a: b" ended with code ${index}`);
    failed.push(session_id);
  }
  await job.fail(await job.claim("t"), "evaluator_failed: no judge today");
  await job.fail(await job.claim("u"), "runtime_exited: maximum context length is 8192 tokens");

  const [first, second, third, ...others] = await readFailures(job.store, job.job_id);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ cause: "crash", error: "runtime_exited", attempts: 4 });
  expect(first?.examples.map(({ session_id }) => session_id)).toEqual(failed.slice(0, 3));
  expect(first?.examples[1]).toMatchObject({
    simulation_id: "s1",
    attempt: 1,
    message: 'command "a: b" ended with code 1',
  });
  expect(second).toMatchObject({ cause: "judge", error: "evaluator_failed", attempts: 1 });
  expect(third).toMatchObject({ cause: "context_length", error: "runtime_exited", attempts: 1 });
});
