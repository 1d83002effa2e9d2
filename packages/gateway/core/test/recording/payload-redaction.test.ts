import { readFile } from "node:fs/promises";
import {
  chatCompletion,
  chatStream,
  responseObject,
  responseStream,
  waitFor,
} from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { chatPath, onlyStep, responsesPath } from "../telemetry/bound-calls.ts";
import { startUpstreamBySession, type UpstreamBySession } from "./upstream-by-session.ts";

// Credentials are removed from rows and request log, and nothing else is.

const secret = "hunter2-very-secret";

let upstream: UpstreamBySession;
let gateway: TestGateway;
let unredacted: TestGateway;

beforeAll(async () => {
  upstream = await startUpstreamBySession();
  const llm_routes = { policy: { base_url: upstream.url } };
  const request_log = { body_limit_bytes: 0 };
  gateway = await startGateway({ llm_routes, request_log });
  unredacted = await startGateway({
    llm_routes,
    request_log,
    telemetry: { redact_sensitive_fields: false },
  });
});

afterAll(async () => {
  await gateway.close();
  await unredacted.close();
  await upstream.close();
});

/** The request log's line of a session. */
function logLine(of: TestGateway, session_id: string) {
  return waitFor(async () => {
    const lines = (await readFile(of.requestLogPath, "utf8").catch(() => "")).split("\n");
    const found = lines.find((line) => line.includes(`"session_id":"${session_id}"`));
    return found === undefined
      ? null
      : (JSON.parse(found) as { request: string; response: string });
  }, `the request log's line of ${session_id}`);
}

const tools = `[{"type":"function","function":{"name":"login","parameters":{"type":"object","properties":{"password":{"type":"string","default":"in-schema"},"api_key":{"const":"in-schema"}}}}}]`;
const turn = `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"login","arguments":"{\\"password\\":\\"in-arguments\\"}"}}]}`;

/** `[REDACTED]` in place of the credentials, or the credentials. */
const requestWith = (value: string): string =>
  `{ "model":"policy", "messages":[ {"role":"user","content":"my password: {\\"password\\":\\"in-text\\"}", "auth_token":"${value}"}, ${turn} ],
  "tools":${tools}, "metadata":{"API-Key":"${value}","clientSecret" : "${value}","X-Authorization":"${value}", "token":17},
  "max_tokens":5, "max_completion_tokens":6, "logit_bias":{"17":1}, "user_password":"${value}", "tokens":{"token":"kept"} }`;

const answerWith = (value: string): string =>
  `{"id":"a","access_token":"${value}","prompt_token_ids":[1,2],"choices":[{"index":0,"finish_reason":"tool_calls","token_ids":[3,4],` +
  `"logprobs":{"content":[{"token":"pass","logprob":-0.5,"bytes":[1],"top_logprobs":[{"token":"word","logprob":-1}]}]},` +
  `"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"login","arguments":"{\\"password\\":\\"in-arguments\\"}"}}]}}],` +
  `"usage":{"prompt_tokens":2,"completion_tokens":2,"total_tokens":4,"prompt_tokens_details":{"cached_tokens":0}}}`;

const redacted = "[REDACTED]";

test("rows and request log have [REDACTED] for credentials, and every other byte unchanged", async () => {
  upstream.answer("plain", (_request, reply) => void reply.send(answerWith(secret)));
  const answer = await gateway.post(chatPath("plain"), requestWith(secret));
  // Forwarded requests and answers are never altered.
  expect(await answer.text()).toBe(answerWith(secret));
  expect(upstream.requests("plain")[0]?.body.toString()).toBe(requestWith(secret));
  const { request, messages, response, meta } = await onlyStep(gateway, "plain");
  expect(request?.replace("null", messages ?? "")).toBe(requestWith(redacted));
  expect(response).toBe(answerWith(redacted));
  expect(meta).toMatchObject({ prompt_tokens: 2, completion_tokens: 2 });
  const line = await logLine(gateway, "plain");
  expect(line.request).toBe(requestWith(redacted));
  expect(line.response).toBe(answerWith(redacted));
});

test("with redact_sensitive_fields: false everything is kept unchanged", async () => {
  upstream.answer("open", (_request, reply) => void reply.send(answerWith(secret)));
  await (await unredacted.post(chatPath("open"), requestWith(secret))).text();
  const { request, messages, response } = await onlyStep(unredacted, "open");
  expect(request?.replace("null", messages ?? "")).toBe(requestWith(secret));
  expect(response).toBe(answerWith(secret));
  const line = await logLine(unredacted, "open");
  expect([line.request, line.response]).toEqual([requestWith(secret), answerWith(secret)]);
});

test("a chat stream keeps token ids, log probabilities, usage and arguments, but no credential", async () => {
  const completion = chatCompletion({
    logprob_tokens: ["pass", "word", ": x"],
    token_ids: [5, 6, 7],
    prompt_token_ids: [1, 2, 3],
  });
  const calls = chatCompletion({
    tool_calls: [{ name: "login", arguments: '{"password":"in-arguments","api_key":"k"}' }],
  });
  const leak = `data: {"session_token":"${secret}","choices":[]}\n\n`;
  const [done, ...others] = chatStream(completion).toReversed();
  const events = [...others.toReversed().map(String), leak, String(done)];
  upstream.answer(
    "stream",
    (_request, reply) => void reply.events(events),
    (_request, reply) => void reply.events(chatStream(calls)),
  );
  const body = '{"model":"policy","messages":[],"stream":true}';
  expect(await (await gateway.post(chatPath("stream"), body)).text()).toBe(events.join(""));
  await (await gateway.post(chatPath("stream"), body)).text();
  const [first, second] = gateway.steps("stream");
  const [choice] = completion.choices;
  expect(JSON.parse(first?.response ?? "")).toMatchObject({
    session_token: redacted,
    prompt_token_ids: [1, 2, 3],
    choices: [{ token_ids: [5, 6, 7], logprobs: choice?.logprobs }],
    usage: completion.usage,
  });
  expect(JSON.parse(second?.response ?? "")).toMatchObject({
    choices: [{ message: { tool_calls: calls.choices[0]?.message.tool_calls } }],
  });
});

test("a responses stream keeps the same, and no credential", async () => {
  const response = {
    ...responseObject({ function_calls: [{ name: "f", arguments: '{"token":"in-arguments"}' }] }),
    metadata: { access_token: secret, max_output_tokens: "17" },
  };
  const events = responseStream(response);
  upstream.answer("responses", (_request, reply) => void reply.events(events));
  const body = `{"model":"policy","input":[{"role":"user","content":"Hi","token":"${secret}"}],"stream":true}`;
  await (await gateway.post(responsesPath("responses"), body)).text();
  const step = await onlyStep(gateway, "responses");
  expect(step.messages).toBe(`[{"role":"user","content":"Hi","token":"${redacted}"}]`);
  expect(JSON.parse(step.response ?? "")).toEqual({
    ...response,
    metadata: { access_token: redacted, max_output_tokens: "17" },
  });
});

test("answers that broke off or are not JSON keep no credential either", async () => {
  const cut = `{"access_token":"${secret}","choices":[{"refresh_token":"${secret}`;
  upstream.answer(
    "cut",
    async (_request, reply) => {
      await reply.start({ headers: { "content-type": "application/json" } });
      await reply.write(cut);
      reply.reset();
    },
    (_request, reply) => void reply.send(`error: {"api_key":"${secret}"}`, { status: 500 }),
  );
  for (let step = 1; step <= 2; step++)
    await (await gateway.post(chatPath("cut"), '{"model":"policy","messages":[]}')).text();
  const steps = gateway.steps("cut");
  expect(steps.map(({ status_code }) => status_code)).toEqual([502, 500]);
  expect(steps.map(({ response }) => JSON.parse(response ?? "null"))).toEqual([
    `{"access_token":"${redacted}","choices":[{"refresh_token":"${redacted}`,
    `error: {"api_key":"${redacted}"}`,
  ]);
  expect(JSON.stringify(steps)).not.toContain(secret);
});
