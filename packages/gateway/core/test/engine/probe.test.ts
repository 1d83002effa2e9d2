import type { EngineFinding, EngineProbeBody } from "@proj/gateway-protocol";
import {
  type FaultyUpstream,
  type RecordedRequest,
  type Reply,
  startFaultyUpstream,
} from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readTokenizerFolder } from "../../src/prompts/index.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { tokenizer } from "./engine-server.ts";

interface EngineFaults {
  readonly withoutIds?: true;
  readonly withoutLogprobs?: true;
  readonly isRaw?: true;
  readonly withoutTools?: true;
  readonly thinksAloud?: true;
  readonly ignoresPrompt?: true;
  /** What is told in place of the sampled ids. */
  readonly ids?: readonly number[];
  readonly counts?: number;
  readonly isProbability?: true;
  /** The text that its log probabilities name; by default that of the id. */
  readonly says?: string;
  readonly answers?: (request: RecordedRequest, reply: Reply) => Promise<unknown> | null;
}

/** Id and text of a token of the vocabulary. */
const yes = { id: 9_454, text: "Yes" };

/** vLLM as it is started for training, except for what is wrong with it. */
function startEngine(current: () => EngineFaults): Promise<FaultyUpstream> {
  return startFaultyUpstream(async (request, reply) => {
    const faults = current();
    const answered = faults.answers?.(request, reply) ?? null;
    if (answered !== null) return void (await answered);
    if (request.path.endsWith("/models"))
      return void reply.json({
        data: [
          { id: "base", max_model_len: 9 },
          { id: "policy", max_model_len: 4_096 },
        ],
      });
    if (request.path === "/weight_info") return void reply.json({ weight_version: "step-7" });
    const {
      tools,
      temperature = 1,
      top_logprobs,
      kv_transfer_params,
    } = JSON.parse(request.body.toString());
    if (tools !== undefined && faults.withoutTools)
      return void reply.json(
        { error: { message: '"auto" tool choice requires --enable-auto-tool-choice' } },
        { status: 400 },
      );
    const scale = faults.isRaw ? 1 : temperature;
    const logprobOf = (token: string, logprob: number) => ({
      ...{ token, logprob: logprob / scale, bytes: [...Buffer.from(token)] },
    });
    const best = [logprobOf("a", -0.5), logprobOf("b", -1.5)];
    const sampled = temperature === 1 ? logprobOf("a", -0.5) : logprobOf("c", -4);
    // As vLLM lists them: the sampled token first, and as many as were asked for with it.
    const listed = [sampled, ...best.filter(({ token }) => token !== sampled.token)];
    const told = {
      token: faults.says ?? yes.text,
      logprob: faults.isProbability ? 0.6 : sampled.logprob,
      top_logprobs: listed.slice(0, top_logprobs ?? 0),
    };
    const content = (faults.ids ?? [yes.id]).map(() => told);
    const sent: number[] = kv_transfer_params.prompt_token_ids;
    const chunk = {
      choices: [
        {
          index: 0,
          delta: { content: faults.thinksAloud ? "<think>\nHm." : "Yes" },
          ...(faults.withoutLogprobs ? {} : { logprobs: { content } }),
          finish_reason: "stop",
          ...(faults.withoutIds ? {} : { token_ids: faults.ids ?? [yes.id] }),
        },
      ],
      usage: { completion_tokens: faults.counts ?? 1 },
      prompt_token_ids: faults.ignoresPrompt ? [1, ...sent] : sent,
    };
    await reply.events([`data: ${JSON.stringify(chunk)}\n\n`, "data: [DONE]\n\n"]);
  });
}

/** Breaks off each answer but the first, which is the one whose ids are looked at. */
function asksOnce({ body }: RecordedRequest, reply: Reply): Promise<unknown> | null {
  if (!body.includes('"top_logprobs"')) return null;
  reply.reset();
  return Promise.resolve();
}

async function probe(gateway: TestGateway): Promise<EngineProbeBody> {
  const answer = await fetch(`${gateway.url}/v1/routes/policy/engine`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as EngineProbeBody;
}

const failedOf = ({ upstreams }: EngineProbeBody): readonly EngineFinding[] =>
  upstreams.flatMap(({ findings }) => findings).filter(({ level }) => level !== "ok");

let faults: EngineFaults = {};
let engine: FaultyUpstream;
let faulty: TestGateway;
beforeAll(async () => {
  engine = await startEngine(() => faults);
  faulty = await startGateway({
    llm_routes: { policy: { base_url: engine.url, engine: "vllm", tokenizer } },
  });
});
afterAll(async () => {
  await faulty.close();
  await engine.close();
});

test("an engine that is started for training passes every check", async () => {
  faults = {};
  const found = await probe(faulty);
  expect(failedOf(found)).toEqual([]);
  expect(found.upstreams.flatMap(({ findings }) => findings.map(({ check }) => check))).toEqual([
    ...["template", "token_ids", "logprobs", "tool_parser", "reasoning_parser"],
    ...["weight_versions", "context_length"],
  ]);
  const said = JSON.stringify(found);
  expect(said).toContain("step-7");
  expect(said).toContain("4096 tokens");
});

test.each([
  [{ withoutIds: true }, "token_ids", "no ids of the sampled tokens"],
  [{ withoutLogprobs: true }, "token_ids", "no log probabilities"],
  [{ ignoresPrompt: true }, "token_ids", "other ids"],
  [{ ids: [-1] }, "token_ids", "cannot be ids"],
  [{ ids: [yes.id, yes.id] }, "token_ids", "2 ids come of 1 tokens"],
  [{ counts: 2 }, "token_ids", "1 ids come of 2 tokens"],
  [
    { says: " No", ids: [yes.id, yes.id, yes.id, yes.id], counts: 4 },
    "token_ids",
    "4 of 4 ids belong to other texts",
  ],
  [{ isProbability: true }, "token_ids", "some log probabilities cannot be any"],
  [{ isRaw: true }, "logprobs", "--logprobs-mode processed_logprobs"],
  [{ withoutTools: true }, "tool_parser", "--enable-auto-tool-choice --tool-call-parser NAME"],
  [{ thinksAloud: true }, "reasoning_parser", "--reasoning-parser NAME"],
  [
    { answers: (_, reply) => reply.send("<html>", { headers: { "content-type": "text/html" } }) },
    "token_ids",
    "without a whole stream of events. vLLM takes",
  ],
  [
    { answers: (_, reply) => reply.events(["data: <html>\n\n"]) },
    "token_ids",
    "not JSON. vLLM takes",
  ],
  [
    { answers: (_, reply) => reply.json({ error: "kv_transfer_params?" }, { status: 400 }) },
    "token_ids",
    "answers 400: kv_transfer_params?. vLLM takes",
  ],
  [{ answers: asksOnce }, "logprobs", "ECONNRESET"],
] as [EngineFaults, string, string][])(
  "an engine with %o fails %s: %s",
  async (wrong, check, told) => {
    faults = wrong;
    const failed = failedOf(await probe(faulty)).filter(({ level }) => level === "failed");
    expect(failed[0]).toEqual({ check, level: "failed", message: expect.stringContaining(told) });
  },
);

test("an engine that is away, and a route without one, are said to be", async () => {
  await using gateway = await startGateway({
    llm_routes: {
      policy: { base_url: "http://127.0.0.1:9/v1", engine: "vllm", tokenizer },
      plain: { base_url: "http://127.0.0.1:9/v1" },
    },
  });
  expect(failedOf(await probe(gateway))).toMatchObject([
    { check: "token_ids", level: "failed", message: expect.stringContaining("cannot be reached") },
  ]);
  const plain = await fetch(`${gateway.url}/v1/routes/plain/engine`);
  expect(await plain.json()).toEqual({ model: "plain", engine: null, upstreams: [] });
  const unknown = await fetch(`${gateway.url}/v1/routes/unknown/engine`);
  expect(unknown.status).toBe(404);
});

test("an engine without any endpoint of its own is only warned of, and asked as the route says", async () => {
  faults = {
    answers: ({ path }, reply) =>
      path.endsWith("/chat/completions") ? null : reply.send("<html>", { status: 404 }),
  };
  const { length } = engine.requests;
  const extra_body = {
    chat_template_kwargs: { enable_thinking: false },
    temperature: 0.3,
    max_completion_tokens: 1,
    min_tokens: 9,
  };
  await using gateway = await startGateway({
    llm_routes: { policy: { base_url: engine.url, engine: "vllm", tokenizer, extra_body } },
  });
  expect(failedOf(await probe(gateway))).toMatchObject([
    { check: "weight_versions", level: "warning" },
    { check: "context_length", level: "warning" },
  ]);
  const asked = engine.requests
    .slice(length)
    .flatMap(({ body }) => (body.length === 0 ? [] : [JSON.parse(body.toString())]));
  expect(asked.map(({ min_tokens, temperature }) => [min_tokens, temperature])).toEqual([
    [undefined, undefined],
    [undefined, 1],
    [undefined, 2],
    [undefined, undefined],
  ]);
  // Qwen3's template begins the answer behind an empty thought if it is told not to think.
  const { encode } = await readTokenizerFolder(tokenizer);
  const end = encode("<think>\n\n</think>\n\n");
  const { prompt_token_ids } = asked[0].kv_transfer_params;
  expect(prompt_token_ids.slice(-end.length)).toEqual([...end]);
});
