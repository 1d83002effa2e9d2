import { startFaultyUpstream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { endAnswer, ended, said, startEngine, tokenizer, writeChunk } from "./engine-server.ts";
import { recordedSteps } from "./recorded-steps.ts";

test("an answer that goes on with other weights has the spans of both", async () => {
  await using engine = await startEngine([]);
  await using gateway = await startGateway({
    llm_routes: { policy: { base_url: engine.url, engine: "vllm", tokenizer } },
  });
  const order = async (verb: string, body: object): Promise<void> => {
    const answer = await gateway.post(`/v1/routes/policy/${verb}`, body);
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  };
  await order("resume", { weight_version: "step-1" });
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  engine.script(async (_request, reply) => {
    await reply.startEvents();
    await writeChunk(reply, said("One", 1, 2));
    await goOn.promise;
    await writeChunk(reply, said(" two", 3));
    await writeChunk(reply, ended, {}, "stop");
    await endAnswer(reply, 9, 4);
  });
  const body = {
    model: "policy",
    stream: true,
    messages: [{ role: "user", content: "Count." }],
  };
  const answer = await gateway.post("/v1/sessions/s/chat/completions", body);
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes("One")) begun.resolve();
    await begun.promise;
    if (!text.includes("two") && text.includes("One")) {
      await order("pause", { mode: "hold" });
      await order("resume", { weight_version: "step-2" });
      goOn.resolve();
    }
  }
  const [step] = recordedSteps(gateway.steps("s"));
  expect(step?.versions).toEqual([
    { version: "step-1", start: 0, end: 2 },
    { version: "step-2", start: 2, end: 4 },
  ]);
});

test.each([
  ["vllm", "keep", "/pause?mode=keep", "{}", "/resume"],
  ["vllm", "wait", "/pause?mode=wait", "{}", "/resume"],
  ["sglang", "keep", "/pause_generation", '{"mode":"in_place"}', "/continue_generation"],
  ["sglang", "abort", "/pause_generation", '{"mode":"abort"}', "/continue_generation"],
] as const)("%s is paused with '%s' and resumed", async (engine, mode, path, body, resume) => {
  await using upstream = await startFaultyUpstream((_request, reply) => void reply.json({}));
  await using gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url, engine, tokenizer } },
  });
  const pause = { mode: "hold", engine: mode };
  expect((await gateway.post("/v1/routes/policy/pause", pause)).status).toBe(200);
  const go = { weight_version: "step-2", engine: true };
  expect((await gateway.post("/v1/routes/policy/resume", go)).status).toBe(200);
  // SGLang would abort the answers that are to go on.
  const kept = engine === "sglang" ? { abort_all_requests: false } : {};
  expect(upstream.requests.map((asked) => [asked.path, asked.body.toString()])).toEqual([
    [path, body],
    ["/update_weight_version", JSON.stringify({ new_version: "step-2", ...kept })],
    [resume, "{}"],
  ]);
});

test("what cannot be paused is said", async () => {
  await using upstream = await startFaultyUpstream(
    (_request, reply) => void reply.json({ detail: "Not Found" }, { status: 404 }),
  );
  await using gateway = await startGateway({
    llm_routes: {
      policy: { base_url: upstream.url, engine: "vllm", tokenizer },
      other: { base_url: upstream.url, engine: "sglang", tokenizer },
      plain: { base_url: upstream.url },
    },
  });
  const pause = async (model: string, engine: string) => {
    const answer = await gateway.post(`/v1/routes/${model}/pause`, { mode: "hold", engine });
    return [answer.status, await answer.text()];
  };
  expect(await pause("policy", "keep")).toEqual([502, expect.stringContaining("DEV_MODE=1")]);
  expect(await pause("other", "wait")).toEqual([400, expect.stringContaining("drain the route")]);
  expect(await pause("plain", "keep")).toEqual([400, expect.stringContaining("no engine")]);
  expect(await pause("policy", "stop")).toEqual([400, expect.stringContaining("'abort'")]);
});
