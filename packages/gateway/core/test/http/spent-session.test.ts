import {
  chatCompletion,
  type FaultyUpstream,
  type RawConnection,
  readAllServerSentEvents,
  startFaultyUpstream,
  waitFor,
} from "@proj/test-kit";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { atRest } from "../pipeline/at-rest.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { expectErrorAnswer } from "./error-answer.ts";
import {
  answerOn,
  beginUpload,
  buffered,
  keyOf,
  kibibyte,
  pathOf,
  session_secret,
} from "./slow-uploads.ts";

// A session without budget gets its stop in the form that its request asks for, so the request is read.
// That must cost the others nothing.

let upstream: FaultyUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream((_request, reply) => void reply.json(chatCompletion()));
  gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url } },
    auth: { api_keys: ["operator"], session_secret, open_metrics: true },
    max_steps: 1,
    max_ignored_stops: -1,
    max_buffered_bytes: 256 * kibibyte,
    max_body_bytes: 200 * kibibyte,
    session_key_limits: {
      max_in_flight: 3,
      max_body_bytes: 64 * kibibyte,
      max_buffered_bytes: 96 * kibibyte,
    },
  });
});

afterEach(() => atRest(gateway));

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const ask = (session_id: string, members: object = {}): Promise<Response> => {
  const messages = [{ role: "user", content: "x".repeat(50 * kibibyte) }];
  const body = { model: "policy", messages, ...members };
  return gateway.post(pathOf(session_id), body, keyOf(session_id));
};

async function spend(session_id: string): Promise<void> {
  const answer = await ask(session_id);
  expect([answer.status, answer.headers.get("x-gateway-stop")]).toEqual([200, null]);
  await answer.text();
}

test("a large request gets its stop in the form that it asks for, and nothing of it is kept", async () => {
  await spend("large");
  const before = upstream.requests.length;
  const stopOf = async (members: object): Promise<Response> => {
    const answer = await ask("large", members);
    expect([answer.status, answer.headers.get("x-gateway-stop")]).toEqual([200, "max_steps"]);
    return answer;
  };
  expect(Object(await (await stopOf({ n: 3 })).json()).choices).toHaveLength(3);
  expect(await (await stopOf({ response_format: { type: "json_object" } })).json()).toMatchObject({
    choices: [{ message: { content: null, refusal: "[gateway] step budget reached" } }],
  });
  const streamed = await stopOf({ stream: true });
  expect((await readAllServerSentEvents(streamed.body)).at(-1)?.data).toBe("[DONE]");

  expect(upstream.requests).toHaveLength(before);
  expect(gateway.steps("large")).toHaveLength(1);
  expect(await buffered(gateway)).toBe(0);
});

test("its uploads fill its own share of the memory and its own requests in flight, and no more", async () => {
  await spend("slow");
  const uploads: RawConnection[] = [];
  try {
    uploads.push(await beginUpload(gateway, "slow", 60 * kibibyte, 50 * kibibyte));
    await waitFor(async () => (await buffered(gateway)) === 50 * kibibyte, "the first upload");
    const beyond = await beginUpload(gateway, "slow", 60 * kibibyte, 10);
    expectErrorAnswer(await answerOn(beyond), "rate_limited");
    for (const held of [1, 2]) {
      uploads.push(await beginUpload(gateway, "slow", 100, 1));
      const isHeld = async () => (await buffered(gateway)) === 50 * kibibyte + held;
      await waitFor(isHeld, "a small upload");
    }
    expectErrorAnswer(await answerOn(await beginUpload(gateway, "slow", 100, 1)), "rate_limited");
    await spend("another");
  } finally {
    for (const upload of uploads) await upload[Symbol.asyncDispose]();
  }
});

test("a body that is larger than its key allows is refused by its length", async () => {
  await spend("long");
  await using upload = await beginUpload(gateway, "long", 100 * kibibyte, 0);
  expectErrorAnswer(await answerOn(upload), "request_too_large");
});
