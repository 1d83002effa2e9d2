import { createServer } from "node:http";
import { buffer, json } from "node:stream/consumers";
import { listen, startFaultyUpstream, waitFor, within } from "@proj/test-kit";
import { expect, test } from "vitest";
import { httpEvaluator } from "../../src/evaluator/evaluators.ts";
import { evaluationRequest, step } from "./evaluation-request.ts";
import { failureOf } from "./failure-of.ts";

const { signal } = new AbortController();
const large = JSON.stringify("x".repeat(1024 * 1024));

test("the document is posted, and the answer is the score", async () => {
  await using server = await startFaultyUpstream(async (_request, reply) => {
    await reply.json({ score: 0.75, why: "short" });
  });
  const evaluator = httpEvaluator(`${server.url}/score`, { authorization: "Bearer opens" });
  expect(evaluator.description).toBe(`endpoint ${server.url}/score`);
  expect(await evaluator.evaluate(evaluationRequest(), { signal })).toEqual({
    score: 0.75,
    details: { why: "short" },
  });
  const { method, path, headers, body } = await server.nextRequest();
  expect([method, path]).toEqual(["POST", "/v1/score"]);
  expect(headers).toMatchObject({
    authorization: "Bearer opens",
    "content-type": "application/json",
  });
  const document = JSON.parse(body.toString());
  expect(document).toMatchObject({
    simulation: { session_id: "session-1", env_name: "maze" },
    result: { total_reward: 0.25 },
    steps: [{ id: 1, response: { choices: [{ message: { content: "ü \u0000 </s>" } }] } }],
  });
  expect(document.simulation).not.toHaveProperty("llm_api_key");
});

test("a request says its length, in bytes, up to 16 MiB, and is sent in chunks above that", async () => {
  const seen: (readonly unknown[])[] = [];
  await using server = await listen(
    createServer(async (req, res) => {
      const { length } = await buffer(req);
      const { "content-length": said, "transfer-encoding": encoding } = req.headers;
      seen.push([said === undefined ? null : Number(said) === length, encoding]);
      res.writeHead(seen.length < 3 ? 200 : 500).end("1");
    }),
  );
  const evaluator = httpEvaluator(server.url);
  await evaluator.evaluate(evaluationRequest(), { signal });
  const steps = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ ...step, id, response: large }));
  await evaluator.evaluate(
    evaluationRequest(() => steps(15)),
    { signal },
  );
  const error = await failureOf(
    evaluator,
    evaluationRequest(() => steps(17)),
  );
  expect(seen).toEqual([
    [true, undefined],
    [true, undefined],
    [null, "chunked"],
  ]);
  expect(error.message).toContain("the server has to read transfer-encoding: chunked");
});

test("128 MiB of steps are sent with little memory", async () => {
  let received = 0;
  await using server = await listen(
    createServer((req, res) => {
      req.on("data", (chunk: Buffer) => {
        received += chunk.length;
      });
      req.on("end", () => res.end("1"));
    }),
  );
  function* steps() {
    for (let id = 0; id < 128; id += 1) yield { ...step, id, response: large };
  }
  const before = process.memoryUsage().rss;
  await httpEvaluator(server.url).evaluate(evaluationRequest(steps), { signal });
  expect(received).toBeGreaterThan(128 * 1024 * 1024);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
});

test("a server that answers early is heard, and no more steps are read", async () => {
  await using server = await listen(
    createServer((req, res) => {
      req.once("data", () => {
        res.writeHead(413).end("too many steps");
      });
    }),
  );
  const { steps, isReading } = endlessSteps();
  const error = await failureOf(httpEvaluator(server.url), evaluationRequest(steps));
  expect(error.code).toBe("evaluator_refused");
  expect(error.message).toContain(`endpoint ${server.url} answered status 413: too many steps`);
  await waitFor(() => !isReading(), "the end of reading");
});

test("unreadable steps break the request off and become the error", async () => {
  const cause = new Error("the file is locked");
  const broken = Promise.withResolvers<unknown>();
  await using server = await listen(
    createServer((req) => {
      json(req).catch(broken.resolve);
    }),
  );
  async function* steps() {
    for (let id = 0; id < 20; id += 1) yield { ...step, id, response: large };
    throw cause;
  }
  const error = await failureOf(httpEvaluator(server.url), evaluationRequest(steps));
  expect(error.code).toBe("steps_unreadable");
  expect(error.cause).toBe(cause);
  await within(broken.promise, "the server to see the break");
});

test("nothing listens: steps are read only for the attempts, and released afterwards", async () => {
  const { url } = await closedServer();
  const { steps, isReading } = endlessSteps();
  const error = await failureOf(httpEvaluator(url), evaluationRequest(steps));
  expect(error.code).toBe("evaluator_unreachable");
  expect(isReading()).toBe(false);
});

test("an abort closes the connection and stops reading steps", async () => {
  const reason = new Error("its time is up");
  const abort = new AbortController();
  const closed = Promise.withResolvers<void>();
  const reading = Promise.withResolvers<void>();
  await using server = await listen(
    createServer((req) => {
      reading.resolve();
      req.resume().once("close", closed.resolve);
    }),
  );
  const { steps, isReading } = endlessSteps();
  const judging = httpEvaluator(server.url).evaluate(evaluationRequest(steps), abort);
  const failing = expect(judging).rejects.toBe(reason);
  await within(reading.promise, "the request");
  abort.abort(reason);
  await within(failing, "the aborted evaluation");
  await within(closed.promise, "the connection to close");
  await waitFor(() => !isReading(), "the end of reading");
});

test("an answer that is not a score is an error that quotes it", async () => {
  await using server = await startFaultyUpstream(async (_request, reply) => {
    await reply.send("fine");
  });
  const { code, message } = await failureOf(httpEvaluator(server.url));
  expect(code).toBe("evaluator_bad_result");
  expect(message).toContain("answered something that is not JSON: fine");
});

/** Steps without end, and whether anybody still reads them. */
function endlessSteps() {
  let open = 0;
  function* steps() {
    open += 1;
    try {
      for (;;) yield { ...step, response: large };
    } finally {
      open -= 1;
    }
  }
  return { steps, isReading: () => open > 0 };
}

async function closedServer(): Promise<{ readonly url: string }> {
  await using server = await listen(createServer());
  return server;
}
