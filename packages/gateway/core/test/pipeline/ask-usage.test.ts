import { startFaultyUpstream, temporaryFolder } from "@proj/test-kit";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { sessionClient } from "../session/session-client.ts";
import { startGateway } from "../start-gateway.ts";

const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
const chunk = { id: "c", object: "chat.completion.chunk", model: "m" };
const said = { ...chunk, choices: [{ index: 0, delta: { content: "hi" } }] };
const last = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const done = "data: [DONE]\n\n";
/** As OpenAI's API sends them when it is asked for usage. */
const events = [
  event({ ...said, usage: null }),
  event({ ...last, usage: null }),
  event({ ...chunk, choices: [], usage }),
  done,
];
/** What a caller gets that did not ask. */
const unasked = `${event(said)}${event(last)}${done}`;
const request = { model: "demo", messages: [], stream: true };

test("a budget asks streams for their usage, and hides it from callers who did not ask", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    max_tokens: 30,
    llm_routes: { demo: { base_url: upstream.url } },
  });
  const ask = async (body: object) => {
    const answer = gateway.post("/v1/sessions/s/chat/completions", { ...request, ...body });
    const { reply, body: sent } = await upstream.nextRequest();
    await reply.events(events);
    return [JSON.parse(String(sent)).stream_options, await (await answer).text()];
  };
  expect(await ask({})).toEqual([{ include_usage: true }, unasked]);
  expect(gateway.steps("s")[0]?.meta).toMatchObject({ asked_usage: true, prompt_tokens: 10 });
  // Whatever else it asks for stays.
  const options = { include_usage: false, include_obfuscation: false };
  const sent = { include_usage: true, include_obfuscation: false };
  expect(await ask({ stream_options: options })).toEqual([sent, unasked]);
  const stop = await gateway.post("/v1/sessions/s/chat/completions", request);
  expect(stop.headers.get("x-gateway-stop")).toBe("max_tokens");
});

test("a caller that asked gets every byte, and so does one without a budget", async () => {
  await using upstream = await startFaultyUpstream();
  const llm_routes = { demo: { base_url: upstream.url } };
  for (const [budget, body] of [
    [{ max_tokens: 30 }, { ...request, stream_options: { include_usage: true } }],
    [{}, request],
  ]) {
    await using gateway = await startGateway({ ...budget, llm_routes });
    const answer = gateway.post("/v1/sessions/s/chat/completions", body);
    const { reply, body: sent } = await upstream.nextRequest();
    expect(String(sent)).toBe(JSON.stringify(body));
    await reply.events(events);
    expect(await (await answer).text()).toBe(events.join(""));
  }
});

test("the official SDK reads the stream, in whatever pieces it comes", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    max_tokens: 30,
    llm_routes: { demo: { base_url: upstream.url } },
  });
  const client = new OpenAI({ baseURL: gateway.sessionUrl("s"), apiKey: "k", maxRetries: 0 });
  const answer = client.chat.completions.create({ model: "demo", messages: [], stream: true });
  const { reply } = await upstream.nextRequest();
  await reply.events([...events.join("").replaceAll("\n", "\r\n")]);
  const chunks: unknown[] = [];
  for await (const each of await answer) chunks.push(each);
  expect(chunks).toMatchObject([said, last]);
  expect(chunks).not.toContainEqual(expect.objectContaining({ usage: expect.anything() }));
  expect(gateway.steps("s")[0]?.meta).toMatchObject({ completion_tokens: 10, status_code: 200 });
});

test("stream_usage: false sends what the caller sent; the status then tells of unpriced steps", async () => {
  await using upstream = await startFaultyUpstream();
  await using folder = await temporaryFolder();
  const prices = [{ input: 1, output: 1 }];
  const config = {
    max_cost_usd: 1,
    llm_routes: { demo: { base_url: upstream.url, stream_usage: false, prices } },
  };
  {
    await using gateway = await startGateway(config, { folder: folder.path });
    const answer = gateway.post("/v1/sessions/s/chat/completions", request);
    const { reply, body } = await upstream.nextRequest();
    expect(String(body)).toBe(JSON.stringify(request));
    await reply.events([event(said), event(last), done]);
    await (await answer).text();
    const { models } = await sessionClient(gateway, "s").status();
    expect(models.demo).toMatchObject({ steps: 1, unpriced_steps: 1 });
    expect(gateway.steps("s")[0]?.meta).toMatchObject({ unpriced: 1 });
  }
  await using again = await startGateway(config, { folder: folder.path });
  const answer = again.post("/v1/sessions/s/chat/completions", { ...request, stream: false });
  await (await upstream.nextRequest()).reply.json({ choices: [{ finish_reason: "stop" }], usage });
  await (await answer).text();
  const { models } = await sessionClient(again, "s").status();
  expect(models.demo).toMatchObject({ steps: 2, unpriced_steps: 1 });
});

test("without a budget and without prices no step is unpriced", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const answer = gateway.post("/v1/sessions/s/chat/completions", request);
  await (await upstream.nextRequest()).reply.events([event(said), event(last), done]);
  await (await answer).text();
  expect(gateway.steps("s")[0]?.meta.unpriced).toBeUndefined();
  const { models } = await sessionClient(gateway, "s").status();
  expect(models.demo).not.toHaveProperty("unpriced_steps");
});
