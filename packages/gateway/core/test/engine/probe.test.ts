import type { EngineFinding, EngineProbeBody } from "@proj/gateway-protocol";
import { type FaultyUpstream, startFaultyUpstream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { tokenizer } from "./engine-server.ts";

interface EngineFaults {
  readonly withoutIds?: true;
  readonly withoutLogprobs?: true;
  readonly isRaw?: true;
  readonly withoutTools?: true;
  readonly thinksAloud?: true;
  readonly ignoresPrompt?: true;
}

/** vLLM as it is started for training, except for what is wrong with it. */
function startEngine(faults: EngineFaults): Promise<FaultyUpstream> {
  return startFaultyUpstream(async (request, reply) => {
    if (request.path.endsWith("/models"))
      return void reply.json({ data: [{ id: "policy", max_model_len: 4_096 }] });
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
    const content = [{ ...sampled, top_logprobs: listed.slice(0, top_logprobs ?? 0) }];
    const sent: number[] = kv_transfer_params.prompt_token_ids;
    const chunk = {
      choices: [
        {
          index: 0,
          delta: { content: faults.thinksAloud ? "<think>\nHm." : "Yes" },
          ...(faults.withoutLogprobs ? {} : { logprobs: { content } }),
          finish_reason: "stop",
          ...(faults.withoutIds ? {} : { token_ids: [17] }),
        },
      ],
      prompt_token_ids: faults.ignoresPrompt ? [1, ...sent] : sent,
    };
    await reply.events([`data: ${JSON.stringify(chunk)}\n\n`, "data: [DONE]\n\n"]);
  });
}

async function probe(gateway: TestGateway): Promise<EngineProbeBody> {
  const answer = await fetch(`${gateway.url}/v1/routes/policy/engine`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as EngineProbeBody;
}

const failedOf = ({ upstreams }: EngineProbeBody): readonly EngineFinding[] =>
  upstreams.flatMap(({ findings }) => findings).filter(({ level }) => level !== "ok");

test("an engine that is started for training passes every check", async () => {
  await using engine = await startEngine({});
  await using gateway = await startGateway({
    llm_routes: { policy: { base_url: engine.url, engine: "vllm", tokenizer } },
  });
  const found = await probe(gateway);
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
  [{ isRaw: true }, "logprobs", "--logprobs-mode processed_logprobs"],
  [{ withoutTools: true }, "tool_parser", "--enable-auto-tool-choice --tool-call-parser NAME"],
  [{ thinksAloud: true }, "reasoning_parser", "--reasoning-parser NAME"],
] as const)("an engine with %o fails, and says what to set", async (faults, check, told) => {
  await using engine = await startEngine(faults);
  await using gateway = await startGateway({
    llm_routes: { policy: { base_url: engine.url, engine: "vllm", tokenizer } },
  });
  const failed = failedOf(await probe(gateway)).filter(({ level }) => level === "failed");
  expect(failed).toEqual([{ check, level: "failed", message: expect.stringContaining(told) }]);
});

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
