import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { OpenAI as LangChainCompletions, OpenAIEmbeddings } from "@langchain/openai";
import { type FaultyUpstream, startFaultyUpstream } from "@proj/test-kit";
import { embedMany } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { onlyStep } from "../telemetry/bound-calls.ts";

// Ordinary clients, unmodified, embed and complete in a session that they join through its base URL.

let upstream: FaultyUpstream;
let gateway: TestGateway;
/** Floats that single precision holds exactly. */
const vectors = [
  [0.5, -0.25, 3],
  [1, 2, -8],
];
const texts = ["Hello", "there"];
const usage = { prompt_tokens: 2, total_tokens: 2 };

/** Answers in the requested form: floats, or base64 of single precision. */
function embed(request: { encoding_format?: string; input: string[] }): object {
  const data = request.input.map((_, index) => {
    const vector = vectors[index] ?? [];
    const base64 = Buffer.from(new Float32Array(vector).buffer).toString("base64");
    const embedding = request.encoding_format === "base64" ? base64 : vector;
    return { object: "embedding", index, embedding };
  });
  return { object: "list", model: "m", data, usage };
}

const chunk = (text: string, finish_reason: string | null): object => ({
  id: "cmpl-1",
  object: "text_completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, text, logprobs: null, finish_reason }],
});

beforeAll(async () => {
  upstream = await startFaultyUpstream((request, reply) => {
    const body = JSON.parse(request.body.toString());
    if (request.path === "/v1/embeddings") void reply.json(embed(body));
    else if (!body.stream) void reply.json(chunk(" is blue", "stop"));
    else {
      const chunks = [chunk(" is", null), chunk(" blue", null), chunk("", "stop")];
      const data = [...chunks.map((each) => JSON.stringify(each)), "[DONE]"];
      void reply.events(data.map((each) => `data: ${each}\n\n`));
    }
  });
  gateway = await startGateway({ llm_routes: { policy: { base_url: upstream.url } } });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const openai = (session_id: string): OpenAI =>
  new OpenAI({ baseURL: gateway.sessionUrl(session_id), apiKey: "none", maxRetries: 0 });

/** The upstream's last embeddings request, and what its row says. */
async function recorded(session_id: string): Promise<unknown[]> {
  const { encoding_format } = JSON.parse(upstream.requests.at(-1)?.body.toString() ?? "");
  const { step_id, status_code, response, meta } = await onlyStep(gateway, session_id);
  const { data } = JSON.parse(response ?? "");
  return [encoding_format, step_id, status_code, meta.prompt_tokens, data[1].embedding];
}

describe("embeddings", () => {
  test("openai, which asks for base64 and decodes it", async () => {
    const { data } = await openai("openai").embeddings.create({ model: "policy", input: texts });
    expect(data.map(({ embedding }) => embedding)).toEqual(vectors);
    const shape = { encoding_format: "base64", dimensions: 3 };
    expect(await recorded("openai")).toEqual(["base64", -1, 200, 2, shape]);
  });

  test("openai, asked for floats", async () => {
    const { data } = await openai("openai-floats").embeddings.create({
      model: "policy",
      input: texts,
      encoding_format: "float",
    });
    expect(data.map(({ embedding }) => embedding)).toEqual(vectors);
    expect(await recorded("openai-floats")).toEqual(["float", -1, 200, 2, { dimensions: 3 }]);
  });

  test("LangChain", async () => {
    const embeddings = new OpenAIEmbeddings({
      model: "policy",
      apiKey: "none",
      configuration: { baseURL: gateway.sessionUrl("langchain") },
      maxRetries: 0,
    });
    expect(await embeddings.embedDocuments(texts)).toEqual(vectors);
    expect(await recorded("langchain")).toMatchObject([expect.anything(), -1, 200, 2, {}]);
  });

  test("the AI SDK", async () => {
    const provider = createOpenAICompatible({
      name: "gateway",
      baseURL: gateway.sessionUrl("ai-sdk"),
    });
    const result = await embedMany({
      model: provider.embeddingModel("policy"),
      values: texts,
      maxRetries: 0,
    });
    expect(result.embeddings).toEqual(vectors);
    expect(result.usage.tokens).toBe(2);
    expect(await recorded("ai-sdk")).toMatchObject(["float", -1, 200, 2, { dimensions: 3 }]);
  });
});

describe("completions", () => {
  test("openai, with token ids", async () => {
    const prompt = [464, 6766];
    const { choices } = await openai("ids").completions.create({ model: "policy", prompt });
    expect(choices[0]?.text).toBe(" is blue");
    expect(await onlyStep(gateway, "ids")).toMatchObject({ step_id: 1, messages: "[464,6766]" });
  });

  test("openai, streamed", async () => {
    const prompt = "The sky";
    const stream = await openai("streamed").completions.create({
      model: "policy",
      prompt,
      stream: true,
    });
    let text = "";
    for await (const { choices } of stream) text += choices[0]?.text ?? "";
    expect(text).toBe(" is blue");
    const step = await onlyStep(gateway, "streamed");
    expect(JSON.parse(step.response ?? "")).toEqual(chunk(" is blue", "stop"));
  });

  test.each([false, true])("LangChain (streamed: %s)", async (streaming) => {
    const session_id = `langchain-${streaming}`;
    const llm = new LangChainCompletions({
      model: "policy",
      apiKey: "none",
      configuration: { baseURL: gateway.sessionUrl(session_id) },
      maxRetries: 0,
      streaming,
    });
    expect(await llm.invoke("The sky")).toBe(" is blue");
    expect(await onlyStep(gateway, session_id)).toMatchObject({
      status_code: 200,
      meta: { endpoint: "completions", is_stream: streaming, finish_reason: "stop" },
    });
  });
});
