import Anthropic from "@anthropic-ai/sdk";
import { type Content, type GenerateContentResponse, GoogleGenAI, type Part } from "@google/genai";
import { sequences } from "@proj/sequences";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { type StepRecord, startGateway, type TestGateway } from "../start-gateway.ts";
import {
  called,
  type EngineServer,
  ended,
  endOfTurn,
  said,
  startEngine,
  thought,
  tokenizer,
  writeChunk,
} from "./engine-server.ts";
import { recordedSteps } from "./recorded-steps.ts";

const press = {
  name: "press",
  description: "Press a key.",
  parameters: { type: "object", properties: { key: { type: "string" } } },
};

const gatewayOf = (engine: EngineServer, route: object = {}): Promise<TestGateway> =>
  startGateway({
    llm_routes: { policy: { base_url: engine.url, engine: "vllm", tokenizer, ...route } },
  });

const responseOf = ({ response }: StepRecord) => JSON.parse(response ?? "null");
const without = ({ engine: _, ...answer }: Record<string, unknown>) => answer;

const sequencesOf = (rows: readonly StepRecord[]) => sequences(recordedSteps(rows));

/** One rollout of three turns by each official client: a call with thinking, its result, and a second question. */
const turns = [
  [thought("Hm, a.", 11, 12), called("press", '{"key":', 13), called("", '"a"}', 14), ended],
  [said("It is ", 21), said("pressed. \n", 22, 23), ended],
  [said("Yes.", 31), ended],
];

const clients: Readonly<Record<string, (url: string, streams: boolean) => Promise<unknown[]>>> = {
  chat_completions: async (baseURL, streams) => {
    const { chat } = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: "system", content: "You press keys." },
      { role: "user", content: "Press a." },
    ];
    const tools = [{ type: "function" as const, function: press }];
    const ask = async () => {
      const body = { model: "policy", messages, tools };
      const answer = streams
        ? await chat.completions
            .stream({ ...body, stream_options: { include_usage: true } })
            .finalChatCompletion()
        : await chat.completions.create(body);
      return answer;
    };
    const answers = [await ask()];
    const [call] = answers[0]?.choices[0]?.message.tool_calls ?? [];
    messages.push(
      { role: "assistant", content: null, tool_calls: call === undefined ? [] : [call] },
      { role: "tool", tool_call_id: call?.id ?? "", content: "done" },
    );
    answers.push(await ask());
    messages.push(
      { role: "assistant", content: "It is pressed." },
      { role: "user", content: "Sure?" },
    );
    answers.push(await ask());
    return answers;
  },
  messages: async (baseURL, streams) => {
    const { messages } = new Anthropic({ baseURL, apiKey: "none", maxRetries: 0 });
    const history: Anthropic.MessageParam[] = [{ role: "user", content: "Press a." }];
    const tools = [
      {
        name: "press",
        description: "Press a key.",
        input_schema: press.parameters as Anthropic.Tool.InputSchema,
      },
    ];
    const ask = (): Promise<Anthropic.Message> => {
      const body = {
        model: "policy",
        max_tokens: 99,
        system: "You press keys.",
        messages: history,
        tools,
      };
      return streams ? messages.stream(body).finalMessage() : messages.create(body);
    };
    const answers = [await ask()];
    const { content = [] } = answers[0] ?? {};
    const call = content.find((block) => block.type === "tool_use");
    history.push(
      { role: "assistant", content },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: call?.id ?? "", content: "done" }],
      },
    );
    answers.push(await ask());
    history.push(
      { role: "assistant", content: "It is pressed." },
      { role: "user", content: "Sure?" },
    );
    answers.push(await ask());
    return answers;
  },
  responses: async (baseURL, streams) => {
    const { responses } = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "Press a." }];
    const tools = [{ type: "function" as const, ...press, strict: false }];
    const ask = () => {
      const body = { model: "policy", instructions: "You press keys.", input, tools };
      return streams ? responses.stream(body).finalResponse() : responses.create(body);
    };
    const answers = [await ask()];
    const { output = [] } = answers[0] ?? {};
    const call = output.find((item) => item.type === "function_call");
    input.push(...(output as OpenAI.Responses.ResponseInputItem[]), {
      type: "function_call_output",
      call_id: call?.call_id ?? "",
      output: "done",
    });
    answers.push(await ask());
    input.push(
      { role: "assistant", content: "It is pressed." },
      { role: "user", content: "Sure?" },
    );
    answers.push(await ask());
    return answers;
  },
  generate_content: async (baseUrl, streams) => {
    const { models } = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl } });
    const contents: Content[] = [{ role: "user", parts: [{ text: "Press a." }] }];
    const { name, description, parameters } = press;
    const tools = [
      { functionDeclarations: [{ name, description, parametersJsonSchema: parameters }] },
    ];
    const ask = async (): Promise<object> => {
      const body = {
        model: "policy",
        contents,
        config: { systemInstruction: "You press keys.", tools },
      };
      if (!streams) return joined([await models.generateContent(body)]);
      const chunks: GenerateContentResponse[] = [];
      for await (const chunk of await models.generateContentStream(body)) chunks.push(chunk);
      return joined(chunks);
    };
    const answers = [await ask()];
    const [candidate] = (answers[0] as GenerateContentResponse).candidates ?? [];
    const call = candidate?.content?.parts?.find((part) => part.functionCall !== undefined);
    contents.push(candidate?.content ?? {}, {
      role: "user",
      parts: [
        {
          functionResponse: {
            id: call?.functionCall?.id ?? "",
            name,
            response: { output: "done" },
          },
        },
      ],
    });
    answers.push(await ask());
    contents.push(
      { role: "model", parts: [{ text: "It is pressed." }] },
      { role: "user", parts: [{ text: "Sure?" }] },
    );
    answers.push(await ask());
    return answers;
  },
};

/** The chunks of a stream as one answer: Google's client leaves that to programs. */
function joined(chunks: readonly GenerateContentResponse[]): object {
  const parts: Part[] = [];
  for (const part of chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])) {
    const last = parts.at(-1);
    if (last?.text !== undefined && part.text !== undefined && last.thought === part.thought)
      last.text += part.text;
    else if (part.text !== "") parts.push({ ...part });
  }
  const { candidates, usageMetadata, modelVersion, responseId } = chunks.at(-1) ?? {};
  const [candidate] = candidates ?? [];
  const content = { parts, role: "model" };
  return { candidates: [{ ...candidate, content }], usageMetadata, modelVersion, responseId };
}

/** Members that the clients' helpers add. */
const added = ["parsed", "parsed_arguments", "output_parsed", "output_text", "parsed_output"];
const own = (held: unknown): unknown =>
  JSON.parse(JSON.stringify(held, (name, value) => (added.includes(name) ? undefined : value)));

describe.each(Object.entries(clients))("%s", (name, rollout) => {
  test.each([false, true])("exact tokens over three turns (streamed: %s)", async (streams) => {
    await using engine = await startEngine(turns, (answer) =>
      answer === 0 ? "tool_calls" : "stop",
    );
    await using gateway = await gatewayOf(engine);
    const url = gateway.sessionUrl("s");
    const answers = await rollout(url, streams);
    const rows = gateway.steps("s");
    // OpenAI's own client keeps only the last piece of members that OpenAI does not have.
    const held = (answer: unknown): unknown =>
      JSON.parse(
        JSON.stringify(own(answer), (key, value) =>
          key === "reasoning_content" ? undefined : value,
        ),
      );
    expect(rows.map((row) => held(without(responseOf(row))))).toEqual(answers.map(held));
    expect(rows.map(({ meta }) => [meta.endpoint, meta.status_code])).toEqual(
      turns.map(() => [name, 200]),
    );
    const records = rows.map((row) => responseOf(row).engine);
    expect(records.map(({ token_ids }) => token_ids)).toEqual(
      turns.map((turn) => turn.flatMap(({ ids }) => ids)),
    );
    expect(records.map(({ made, prompt }) => [made, prompt.continues])).toEqual([
      ["rendered", null],
      ["continued", rows[0]?.request_id],
      ["continued", rows[1]?.request_id],
    ]);
    // The engine was asked to go on exactly where it had ended.
    const [first = [], second = [], third = []] = engine.prompts;
    expect(second.slice(0, first.length + 5)).toEqual([...first, 11, 12, 13, 14, endOfTurn]);
    expect(third.slice(0, second.length + 4)).toEqual([...second, 21, 22, 23, endOfTurn]);
    const { sequences: found, ledger } = sequencesOf(rows);
    expect(found.map(({ input_ids }) => [...input_ids])).toEqual([[...third, 31, endOfTurn]]);
    expect(ledger).toMatchObject({ captured: 11, delivered: 11, breaks_by_reason: { first: 1 } });
  });
});

test("an engine gets JSON, whatever the caller calls its body", async () => {
  await using engine = await startEngine([]);
  await using gateway = await gatewayOf(engine);
  const body = JSON.stringify({ model: "policy", messages: [{ role: "user", content: "Hi." }] });
  for (const type of ["text/plain", "application/json; charset=utf-8", ""]) {
    const answer = await fetch(`${gateway.url}/v1/sessions/s/chat/completions`, {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
  }
  expect(engine.requests.map(({ headers }) => headers["content-type"])).toEqual(
    Array(3).fill("application/json"),
  );
});

test("the first text reaches the agent when the engine's first delta has come", async () => {
  await using engine = await startEngine([]);
  await using gateway = await gatewayOf(engine);
  const goOn = Promise.withResolvers<void>();
  engine.script(async (_request, reply) => {
    await reply.startEvents();
    await writeChunk(reply, said("One", 1));
    await goOn.promise;
    await writeChunk(reply, ended, {}, "stop");
    await reply.end();
  });
  const answer = await gateway.post("/v1/sessions/s/messages", {
    model: "policy",
    max_tokens: 9,
    stream: true,
    messages: [{ role: "user", content: "Count." }],
  });
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    // The engine has not said more until the agent has read this.
    if (text.includes('"text":"One"')) goOn.resolve();
  }
  expect(text).toContain("message_stop");
});

test.each([
  ["n", 2],
  ["chat_template", "{{ messages }}"],
  ["documents", [{ text: "Read this." }]],
])("%s in a route's extra_body is refused by name", async (param, value) => {
  await using engine = await startEngine([]);
  await using gateway = await gatewayOf(engine, { extra_body: { [param]: value } });
  const body = { model: "policy", input: "Hi." };
  const answer = await gateway.post("/v1/sessions/s/responses", body);
  const error = { param, message: expect.stringContaining("extra_body") };
  expect([answer.status, await answer.json()]).toMatchObject([400, { error }]);
  expect(engine.requests).toEqual([]);
});

test("what an engine cannot do is refused before it is asked, without taking a step", async () => {
  await using engine = await startEngine([]);
  await using gateway = await gatewayOf(engine);
  const tools = [{ type: "web_search_20250305", name: "web_search" }];
  const body = {
    model: "policy",
    max_tokens: 9,
    messages: [{ role: "user", content: "Look." }],
    tools,
  };
  const answer = await gateway.post("/v1/sessions/s/messages", body);
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { type: "error", error: { type: "invalid_request_error", code: "not_supported_by_engine" } },
  ]);
  const image = { type: "image", source: { type: "url", url: "https://example.com/a.png" } };
  const seen = await gateway.post("/v1/sessions/s/messages", {
    ...body,
    tools: [],
    messages: [{ role: "user", content: [image] }],
  });
  expect(await seen.text()).toContain("modality 'image'");
  expect(engine.requests).toEqual([]);
  const status = await fetch(gateway.sessionUrl("s"));
  expect(await status.json()).toMatchObject({ models: { policy: { steps: 0 } } });
});

test.each([
  [
    400,
    {
      error: {
        message: "max_tokens is too large",
        type: "BadRequestError",
        param: "max_tokens",
        code: 400,
      },
    },
  ],
  [429, { error: { message: "busy", type: "rate_limit" } }],
  [500, "not JSON"],
] as const)("an engine's error %i has the form of the agent's API", async (status, error) => {
  await using engine = await startEngine([]);
  await using gateway = await gatewayOf(engine, { retries: 0 });
  engine.script(
    (_request, reply) => void reply.json(error, { status, headers: { "retry-after": "7" } }),
  );
  const answer = await gateway.post("/v1/sessions/s/messages", {
    model: "policy",
    max_tokens: 9,
    messages: [{ role: "user", content: "Look." }],
  });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("retry-after")).toBe("7");
  const message = typeof error === "string" ? '"not JSON"' : error.error.message;
  expect(await answer.json()).toMatchObject({ type: "error", error: { message } });
  expect(gateway.steps("s")).toMatchObject([{ status_code: status }]);
});

test("an engine that dies in an answer leaves its tokens, and the agent's next try is a new answer", async () => {
  await using engine = await startEngine([]);
  await using gateway = await gatewayOf(engine, { retries: 0 });
  engine.script(async (_request, reply) => {
    await reply.startEvents();
    await writeChunk(reply, said("One", 41, 42));
    reply.reset();
  });
  const ask = () =>
    gateway.post("/v1/sessions/s/chat/completions", {
      model: "policy",
      stream: true,
      messages: [{ role: "user", content: "Count." }],
    });
  await expect((await ask()).text()).resolves.toContain('"error"');
  await (await ask()).text();
  const rows = gateway.steps("s");
  expect(rows.map(({ status_code }) => status_code)).toEqual([502, 200]);
  expect(rows.map((row) => responseOf(row).engine.token_ids)).toEqual([
    [41, 42],
    [17, endOfTurn],
  ]);
  expect(engine.prompts).toHaveLength(1);
});

test("an engine that was prompted with other ids makes no training data", async () => {
  await using engine = await startEngine([]);
  await using gateway = await gatewayOf(engine);
  engine.script(async (_request, reply) => {
    await reply.startEvents();
    await writeChunk(reply, said("One", 1), { prompt_token_ids: [1, 2, 3] });
    await writeChunk(reply, ended, {}, "stop");
    await reply.end();
  });
  const body = { model: "policy", messages: [{ role: "user", content: "Count." }] };
  await (await gateway.post("/v1/sessions/s/chat/completions", body)).text();
  const [row] = gateway.steps("s");
  expect(row === undefined ? null : responseOf(row).engine).toMatchObject({
    prompt_mismatch: true,
  });
  expect(sequencesOf(gateway.steps("s")).sequences).toEqual([]);
  const line = gateway.logged.find(({ message }) => message.includes("prompt"));
  expect(line).toMatchObject({ level: "error", fields: { session_id: "s" } });
});

test("an engine that never ends is cut off, streamed or not", async () => {
  await using engine = await startEngine([]);
  await using gateway = await startGateway({
    max_capture_bytes: 4_096,
    llm_routes: { policy: { base_url: engine.url, engine: "vllm", tokenizer } },
  });
  for (const stream of [false, true]) {
    engine.script(async (_request, reply) => {
      await reply.startEvents();
      // The gateway takes no more once it has cut this connection.
      while (await writeChunk(reply, said("more ", 1)));
    });
    const body = { model: "policy", stream, messages: [{ role: "user", content: "Count." }] };
    const answer = await gateway.post("/v1/sessions/s/chat/completions", body);
    expect(await answer.text()).toContain("max_capture_bytes");
  }
  expect(gateway.steps("s").map(({ status_code }) => status_code)).toEqual([502, 502]);
});

test("a body that is nested too deeply is refused", async () => {
  await using engine = await startEngine([]);
  await using gateway = await gatewayOf(engine);
  const depth = 100_000;
  const body = `{"model":"policy","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"f","parameters":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}}]}`;
  const answer = await gateway.post("/v1/sessions/s/chat/completions", body);
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("nested")]);
  expect(engine.requests).toEqual([]);
});

test("the chat template gets variables of the call in each API, and the route's on top", async () => {
  await using engine = await startEngine([]);
  await using gateway = await startGateway({
    llm_routes: {
      free: { base_url: engine.url, engine: "vllm", tokenizer },
      policy: {
        ...{ base_url: engine.url, engine: "vllm", tokenizer },
        extra_body: { top_k: 20, chat_template_kwargs: { enable_thinking: false, own: "route" } },
      },
    },
  });
  const said = [{ role: "user", content: "Hi." }];
  const paths = {
    "chat/completions": { messages: said },
    messages: { messages: said, max_tokens: 9 },
    responses: { input: said },
    "models/{model}:generateContent": { contents: [{ role: "user", parts: [{ text: "Hi." }] }] },
  };
  const noThinking = [151_667, 151_668];
  const ask = async (model: string, chat_template_kwargs: object) => {
    for (const [path, body] of Object.entries(paths)) {
      const isTold = path.includes("{model}");
      const asked = { ...(isTold ? {} : { model }), ...body, chat_template_kwargs };
      const answer = await gateway.post(`/v1/${path.replace("{model}", model)}`, asked);
      expect([path, answer.status]).toEqual([path, 200]);
      const { chat_template_kwargs: sent, ...sampling } = JSON.parse(
        engine.requests.at(-1)?.body.toString() ?? "",
      );
      const isOff = noThinking.every((id) => engine.prompts.at(-1)?.includes(id));
      expect([path, sent, isOff, sampling.top_k]).toEqual([
        path,
        model === "policy"
          ? { own: "route", more: 1, enable_thinking: false }
          : chat_template_kwargs,
        true,
        model === "policy" ? 20 : undefined,
      ]);
    }
  };
  await ask("free", { enable_thinking: false });
  await ask("policy", { own: "call", more: 1 });
});
