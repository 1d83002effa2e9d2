import { chatCompletion, type ReplyHandler, startFaultyUpstream, waitFor } from "@proj/test-kit";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { sessionClient } from "../session/session-client.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";

const messages = [{ role: "user" as const, content: "Hello" }];
const body = { model: "demo", messages };

/** A gateway with an upstream controlled by the test, and the official client in a session. */
async function open(config: Record<string, unknown> = {}, route: Record<string, unknown> = {}) {
  const upstream = await startFaultyUpstream();
  const gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url, ...route } },
    ...config,
  });
  const openai = new OpenAI({ baseURL: gateway.sessionUrl("s"), apiKey: "caller-key" });
  return {
    upstream,
    gateway,
    openai,
    [Symbol.asyncDispose]: async () => {
      await gateway.close();
      await upstream.close();
    },
  };
}

async function errorOf(promise: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof OpenAI.APIError) return error;
  throw new Error("an error of the API was expected", { cause: error });
}

const retryCounts = (gateway: TestGateway): unknown[] =>
  gateway.steps("s").map(({ status_code, meta }) => [status_code, meta.client_retry_count]);

test.each([
  [{ model: "dema" }, OpenAI.NotFoundError, "model_not_found", "model"],
  [{ model: "" }, OpenAI.BadRequestError, "invalid_request", "model"],
  [{ stream: true as const }, OpenAI.BadRequestError, "stream_not_supported", "stream"],
])(
  "a caller's mistake (%o) is reported once, as the client's own error class",
  async (change, type, code, param) => {
    await using world = await open({}, { supports_stream: false });
    const { openai, upstream } = world;
    const error = await errorOf(openai.chat.completions.create({ ...body, ...change }));
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ code, param, type: "invalid_request_error" });
    expect(error.requestID).toMatch(/^[\w-]{36}$/);
    expect(error.message).toMatch(/^4\d\d The |^4\d\d 'model'|^4\d\d Route/);
    expect(upstream.requests).toEqual([]);
  },
);

test("a wrong key is an AuthenticationError", async () => {
  await using world = await open({ auth: { api_keys: ["another-key"] } });
  const error = await errorOf(world.openai.chat.completions.create(body));
  expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
  expect(error).toMatchObject({ status: 401, code: "invalid_api_key" });
});

test("the 400 of a closed session is not retried", async () => {
  await using world = await open();
  const { openai, gateway } = world;
  await sessionClient(gateway, "s").closeAndWait();
  let requests = 0;
  const counting = openai.withOptions({
    fetch: (url, init) => {
      requests += 1;
      return fetch(url, init);
    },
  });
  const error = await errorOf(counting.chat.completions.create(body));
  expect(error).toBeInstanceOf(OpenAI.BadRequestError);
  expect(error.code).toBe("session_closed");
  expect(requests).toBe(1);
});

test.each([429, 503])(
  "an upstream's %i is retried after its retry-after-ms, and each row has its attempt number",
  async (status) => {
    await using world = await open();
    const { openai, upstream, gateway } = world;
    const headers = { "retry-after-ms": "60", "retry-after": "30" };
    const busy = { error: { message: "busy", type: "t", param: null, code: "busy" } };
    const times: number[] = [];
    const refuse: ReplyHandler = async (_request, reply) => {
      times.push(performance.now());
      await reply.json(busy, { status, headers });
    };
    upstream.script(refuse, refuse, async (_request, reply) => {
      times.push(performance.now());
      await reply.json(chatCompletion());
    });
    const completion = await openai.chat.completions.create(body);
    expect(completion.choices[0]?.finish_reason).toBe("stop");
    const [first = 0, second = 0, third = 0] = times;
    // Not sooner than one header says, nor as late as the other.
    for (const pause of [second - first, third - second]) {
      expect(pause).toBeGreaterThanOrEqual(55);
      expect(pause).toBeLessThan(10_000);
    }
    expect(retryCounts(gateway)).toEqual([
      [status, 0],
      [status, 1],
      [200, 2],
    ]);
    const hashes = new Set(gateway.steps("s").map(({ meta }) => meta.body_sha256));
    expect(hashes.size).toBe(1);
  },
);

test("a saturated route is retried when it says so, and the refused request leaves no row", async () => {
  await using world = await open({}, { max_concurrency: 1, max_queue: 0 });
  const { openai, upstream, gateway } = world;
  const holder = sessionClient(gateway, "holder").chat();
  const held = await upstream.nextRequest();
  const answer = openai.chat.completions.create(body);
  // Refused once by then; the next attempt comes within a second.
  await refused(gateway, "route_saturated");
  await held.reply.json(chatCompletion());
  await (await holder).text();
  const { reply, headers } = await upstream.nextRequest();
  expect(headers["x-stainless-retry-count"]).toBe("1");
  await reply.json(chatCompletion());
  await answer;
  expect(retryCounts(gateway)).toEqual([[200, 1]]);
});

async function refused(gateway: TestGateway, reason: string): Promise<void> {
  const line = `gateway_requests_refused_total{model="demo",endpoint="chat_completions",reason="${reason}"} 1`;
  const isCounted = async (): Promise<boolean> =>
    (await (await fetch(`${gateway.url}/metrics`)).text()).includes(line);
  await waitFor(isCounted, line);
}

test("an upstream that cannot be reached is an InternalServerError with the gateway's code", async () => {
  await using world = await open();
  const { openai, upstream } = world;
  upstream.script((_request, reply) => reply.reset());
  const once = openai.withOptions({ maxRetries: 0 });
  const error = await errorOf(once.chat.completions.create(body));
  expect(error).toBeInstanceOf(OpenAI.InternalServerError);
  expect(error).toMatchObject({ status: 502, code: "upstream_unreachable" });
});

test("an upstream's own error reaches the client as it is", async () => {
  await using world = await open();
  const { openai, upstream } = world;
  upstream.script(async (_request, reply) => {
    const error = { message: "too long", type: "t", param: "messages", code: "context_length" };
    await reply.json({ error }, { status: 400, headers: { "x-request-id": "req_up" } });
  });
  const error = await errorOf(openai.chat.completions.create(body));
  expect(error).toBeInstanceOf(OpenAI.BadRequestError);
  expect(error).toMatchObject({ code: "context_length", param: "messages", requestID: "req_up" });
});

test("a stream that breaks off throws in the client's loop, instead of looking like its end", async () => {
  await using world = await open();
  const { openai, upstream, gateway } = world;
  upstream.script(async (_request, reply) => {
    await reply.startEvents();
    await reply.write('data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n');
    reply.reset();
  });
  const stream = await openai.chat.completions.create({ ...body, stream: true });
  let text = "";
  const read = async (): Promise<void> => {
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  };
  const error = await errorOf(read());
  expect(error.code).toBe("upstream_invalid_response");
  expect(text).toBe("Hel");
  expect(gateway.steps("s")).toMatchObject([{ status_code: 502 }]);
});
