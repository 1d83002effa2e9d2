import Anthropic from "@anthropic-ai/sdk";
import {
  chatCompletion,
  type FaultyUpstream,
  messageObject,
  responseObject,
  startFaultyUpstream,
} from "@proj/test-kit";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpointCases, requestOf } from "../endpoints/endpoint-cases.ts";
import { apis } from "../endpoints/endpoint-routes.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { fork, stepsOf } from "./record.ts";

let upstream: FaultyUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream();
  gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url, endpoints: apis } },
    telemetry: { capture_embeddings: true },
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

for (const each of endpointCases.filter(({ isRecorded }) => isRecorded))
  for (const streams of each.stream === null ? [false] : [false, true])
    test(`${each.name}${streams ? ", streamed," : ""} is answered as it was`, async () => {
      const { name, answer, stream } = each;
      upstream.script((_request, reply) =>
        streams ? void reply.events(stream ?? []) : void reply.json(answer),
      );
      const sessions = [`source-${name}-${streams}`, `replay-${name}-${streams}`] as const;
      const { path, body } = requestOf(each, streams ? { stream: true } : {});
      const post = (session_id: string) => gateway.post(`/v1/sessions/${session_id}${path}`, body);
      const first = await post(sessions[0]);
      await first.text();
      const made = await fork(gateway, sessions[1], { from: sessions[0], mode: "replay" });
      expect(made.status).toBe(200);
      const asked = upstream.requests.length;
      const again = await post(sessions[1]);
      expect(again.status).toBe(200);
      expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
      const text = await again.text();
      if (!streams) expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(answer)));
      expect(upstream.requests).toHaveLength(asked);
      const [[recorded], [replayed]] = await Promise.all([
        stepsOf(gateway, sessions[0]),
        stepsOf(gateway, sessions[1]),
      ]);
      expect(JSON.parse(replayed?.response ?? "")).toEqual(JSON.parse(recorded?.response ?? ""));
      expect(replayed?.meta).toMatchObject({
        replayed_from: { session_id: sessions[0], step_id: recorded?.step_id },
        finish_reason: each.finish_reason,
        is_stream: streams,
      });
    });

for (const each of endpointCases.filter(({ isRecorded }) => !isRecorded))
  test(`${each.name} is refused in a replay, and goes to the model in a fork`, async () => {
    const source = `source-${each.name}`;
    upstream.script((_request, reply) => void reply.json(chatCompletion()));
    await gateway.post(`/v1/sessions/${source}/chat/completions`, {
      model: "policy",
      messages: [],
    });
    for (const mode of ["replay", "fork"] as const)
      await fork(gateway, `${mode}-${each.name}`, { from: source, mode });
    const post = (mode: string) =>
      gateway.post(`/v1/sessions/${mode}-${each.name}${each.path}`, each.request);
    const refused = await post("replay");
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining("replay_diverged"),
    ]);
    upstream.script((_request, reply) => void reply.json(each.answer));
    expect((await post("fork")).status).toBe(200);
  });

test("a replay does not ask the upstream for stored responses", async () => {
  upstream.script((_request, reply) => void reply.json(responseObject({ text: "kept" })));
  const post = (id: string) =>
    gateway.post(`/v1/sessions/${id}/responses`, { model: "policy", input: "Hello" });
  const { id } = (await (await post("keeps")).json()) as { id: string };
  await fork(gateway, "keeps-not", { from: "keeps", mode: "replay" });
  await (await post("keeps-not")).text();
  const asked = upstream.requests.length;
  const answer = await fetch(`${gateway.sessionUrl("keeps-not")}/responses/${id}`);
  expect(answer.status).toBe(409);
  expect(upstream.requests).toHaveLength(asked);
});

const tool = { id: "call_1", name: "look", arguments: '{"at":"door"}' };
const openai = (session_id: string): OpenAI =>
  new OpenAI({ baseURL: gateway.sessionUrl(session_id), apiKey: "none", maxRetries: 0 });

/** What a client reads from the source's answer and from the replay's. */
async function heardTwice<Heard>(
  name: string,
  answer: object,
  hear: (session_id: string) => Promise<Heard>,
): Promise<readonly [Heard, Heard]> {
  upstream.script((request, reply) => {
    const { stream } = JSON.parse(String(request.body)) as { stream?: boolean };
    const each = endpointCases.find(({ path }) => request.path.endsWith(path));
    return stream === true ? void reply.events(each?.stream ?? []) : void reply.json(answer);
  });
  const first = await hear(`sdk-${name}`);
  await fork(gateway, `sdk-${name}-again`, { from: `sdk-${name}`, mode: "replay" });
  return [first, await hear(`sdk-${name}-again`)];
}

test("OpenAI's client reads a replayed chat completion, also streamed", async () => {
  const completion = chatCompletion({ content: "Hello there", tool_calls: [tool] } as object);
  const [plain, again] = await heardTwice("chat", completion, (id) =>
    openai(id).chat.completions.create({ model: "policy", messages: [] }),
  );
  expect(again).toEqual(plain);
  const [streamed, streamedAgain] = await heardTwice("chat-stream", completion, (id) =>
    openai(id).chat.completions.stream({ model: "policy", messages: [] }).finalChatCompletion(),
  );
  expect(streamedAgain).toEqual(streamed);
});

test("OpenAI's client reads a replayed response, also streamed", async () => {
  const [plain, again] = await heardTwice("response", responseObject({ text: "Hello" }), (id) =>
    openai(id).responses.create({ model: "policy", input: "Hello" }),
  );
  expect(again).toEqual(plain);
  const [streamed, streamedAgain] = await heardTwice("response-stream", {}, async (id) => {
    const texts: string[] = [];
    const stream = openai(id).responses.stream({ model: "policy", input: "Hello" });
    stream.on("response.output_text.delta", ({ delta }) => void texts.push(delta));
    return { response: await stream.finalResponse(), text: texts.join("") };
  });
  expect(streamedAgain).toEqual(streamed);
  expect(streamed.text).not.toBe("");
});

test("Anthropic's client reads a replayed message, also streamed", async () => {
  const anthropic = (session_id: string): Anthropic =>
    new Anthropic({ baseURL: gateway.sessionUrl(session_id), apiKey: "none", maxRetries: 0 });
  const request = { model: "policy", max_tokens: 9, messages: [] };
  const [plain, again] = await heardTwice("message", messageObject(), (id) =>
    anthropic(id).messages.create(request),
  );
  expect(again).toEqual(plain);
  const [streamed, streamedAgain] = await heardTwice("message-stream", {}, (id) =>
    anthropic(id).messages.stream(request).finalMessage(),
  );
  expect(streamedAgain).toEqual(streamed);
});
