import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { type Api, apis, hi, type Members, say, startAsking } from "./asking.ts";

const { engine, ask } = startAsking();

const tool = { name: "press", parameters: { type: "object" } };
const chatTools = [{ type: "function", function: tool }];
const anthropicTools = [{ name: "press", input_schema: { type: "object" } }];
const googleTools = [{ functionDeclarations: [tool] }];
const openaiTools = [{ type: "function", ...tool }];
const keys = { type: "object", properties: { a_key: { type: "string" } } };
const functionOf = (members: object) => ({ type: "function", function: members });

/** What no engine does, or cannot be read: refused with the name of the member. */
test.each<[Api, Members, string]>([
  ["chat", { n: 2 }, "n"],
  ["chat", { n: "2" }, "n"],
  ["chat", { temperature: "hot" }, "temperature"],
  ["chat", { stop: [7] }, "stop"],
  ["chat", { tools: "press" }, "tools"],
  ["chat", { tool_choice: "sometimes", tools: chatTools }, "tool_choice"],
  ["chat", { tool_choice: { type: "allowed_tools" }, tools: chatTools }, "tool_choice"],
  ["chat", { response_format: { type: "grammar" } }, "response_format"],
  ["chat", { parallel_tool_calls: "no" }, "parallel_tool_calls"],
  ["chat", { messages: say(7) }, "messages[].content"],
  ["chat", { messages: say([{ type: "input_audio" }]) }, "messages[0].content[0].type"],
  ["chat", { messages: [7] }, "messages"],
  ["chat", { messages: [{ role: "judge", content: "Hm." }] }, "messages[0].role"],
  ["chat", { add_generation_prompt: false }, "add_generation_prompt"],
  ["chat", { add_special_tokens: true }, "add_special_tokens"],
  ["chat", { echo: true }, "echo"],
  ["chat", { prompt_logprobs: 1 }, "prompt_logprobs"],
  ["chat", { chat_template_kwargs: { tools: 7 } }, "chat_template_kwargs.tools"],
  ["chat", { truncate_prompt_tokens: 5 }, "truncate_prompt_tokens"],
  ["chat", { tool_choice: "required" }, "tool_choice"],
  ["messages", { tool_choice: { type: "any" } }, "tool_choice"],
  ["messages", { thinking: { type: "deep" } }, "thinking.type"],
  ["responses", { tool_choice: "required", tools: [] }, "tool_choice"],
  ["content", { toolConfig: { functionCallingConfig: { mode: "ANY" } } }, "toolConfig"],
  ["messages", { temperature: "hot" }, "temperature"],
  ["messages", { stop_sequences: "a b" as unknown, top_k: "many" }, "top_k"],
  ["messages", { tool_choice: "any", tools: anthropicTools }, "tool_choice"],
  ["messages", { tool_choice: { type: "some" }, tools: anthropicTools }, "tool_choice"],
  ["messages", { output_config: { format: { type: "xml" } } }, "output_config.format"],
  ["messages", { system: 7 }, "system"],
  ["messages", { messages: say({ text: "Hi." }) }, "messages[].content"],
  ["messages", { messages: say([{ type: "document" }]) }, "messages[0].content[0].type"],
  ["messages", { tools: [{ type: "bash_20250124", name: "bash" }] }, "tools[0].type"],
  ["responses", { instructions: ["Be brief."] }, "instructions"],
  ["responses", { input: 7 }, "input"],
  ["responses", { max_output_tokens: "9" }, "max_output_tokens"],
  ["responses", { include: ["message.output_text.logprobs"] }, "include"],
  ["responses", { top_logprobs: 2 }, "top_logprobs"],
  ["responses", { text: { format: { type: "grammar" } } }, "text.format"],
  ["responses", { tool_choice: { type: "allowed_tools" }, tools: openaiTools }, "tool_choice"],
  ["responses", { input: say(7) }, "input[].content"],
  ["content", { generationConfig: { candidateCount: 2 } }, "generationConfig.candidateCount"],
  ["content", { generation_config: { candidateCount: 2 } }, "generationConfig.candidateCount"],
  ["content", { generationConfig: { seed: "a" } }, "generationConfig.seed"],
  [
    "content",
    { generationConfig: { responseMimeType: "text/x.enum" } },
    "generationConfig.responseMimeType",
  ],
  [
    "content",
    { generationConfig: { responseModalities: ["AUDIO"] } },
    "generationConfig.responseModalities",
  ],
  ["content", { generationConfig: { speechConfig: {} } }, "generationConfig.speechConfig"],
  [
    "content",
    { generationConfig: { responseLogprobs: true } },
    "generationConfig.responseLogprobs",
  ],
  [
    "content",
    { toolConfig: { functionCallingConfig: { mode: "SOME" } }, tools: googleTools },
    "toolConfig",
  ],
  [
    "content",
    {
      tools: [{ functionDeclarations: [tool, { name: "pull" }, { name: "push" }] }],
      toolConfig: {
        functionCallingConfig: { mode: "VALIDATED", allowedFunctionNames: ["pull", "push"] },
      },
    },
    "toolConfig",
  ],
  ["content", { tools: [{ googleSearch: {} }] }, "tools[0].googleSearch"],
  ["content", { systemInstruction: 7 }, "systemInstruction"],
])("%s %j is refused", async (api, members, param) => {
  const { status, text, sent } = await ask(api, members);
  expect([status, sent]).toEqual([400, null]);
  expect(text).toContain("not_supported_by_engine");
  expect(text).toContain(`'${param}'`);
});

/** What an engine does: sent in its own words. */
test.each<[Api, Members, Members]>([
  ["chat", { seed: 3, logit_bias: { 5: 1 }, top_logprobs: 2 }, { seed: 3, top_logprobs: 2 }],
  ["chat", { stop: "END" }, { stop: "END" }],
  ["chat", { max_completion_tokens: 5 }, { max_completion_tokens: 5 }],
  ["chat", { tools: chatTools, parallel_tool_calls: false }, { parallel_tool_calls: false }],
  ["messages", { top_k: 5, stop_sequences: ["END"] }, { top_k: 5, stop: ["END"], max_tokens: 9 }],
  [
    "messages",
    {
      tools: anthropicTools,
      tool_choice: { type: "tool", name: "press", disable_parallel_tool_use: true },
    },
    {
      tool_choice: { type: "function", function: { name: "press" } },
      parallel_tool_calls: false,
    },
  ],
  ["responses", { max_output_tokens: 5, top_p: 0.5 }, { max_tokens: 5, top_p: 0.5 }],
  // Tools as vLLM gives them to the template.
  [
    "chat",
    { tools: [{ function: { extra: 1, strict: true, name: "press" }, type: "function" }] },
    { tools: [functionOf({ name: "press", description: null, parameters: null, strict: true })] },
  ],
  [
    "responses",
    { tools: [{ type: "function", name: "press", strict: false }] },
    { tools: [functionOf({ name: "press", description: null, parameters: null, strict: false })] },
  ],
  ["chat", { reasoning_effort: "none" }, { chat_template_kwargs: { enable_thinking: false } }],
  ["chat", { tools: [], tool_choice: "auto" }, {}],
  [
    "content",
    {
      generationConfig: {
        responseMimeType: "application/json",
        responseSchema: { type: "STRING", maxLength: "4", nullable: true },
      },
    },
    { response_format: { json_schema: { schema: { type: ["string", "null"], maxLength: 4 } } } },
  ],
  [
    "content",
    {
      generation_config: {
        ...{ seed: 3, frequencyPenalty: 0.5, presencePenalty: 0.25, topK: 4 },
        stopSequences: ["END"],
      },
    },
    { seed: 3, frequency_penalty: 0.5, presence_penalty: 0.25, top_k: 4, stop: ["END"] },
  ],
  // Google's service takes members in either spelling, and its Python library uses both.
  [
    "content",
    {
      system_instruction: { parts: [{ text: "Be brief." }] },
      tools: [{ function_declarations: [{ name: "press", parameters_json_schema: keys }] }],
      tool_config: {
        function_calling_config: { mode: "ANY", allowed_function_names: ["press"] },
      },
      generation_config: { max_output_tokens: 9 },
    },
    {
      tools: [{ type: "function", function: { name: "press", parameters: keys } }],
      ...{ tool_choice: { type: "function", function: { name: "press" } }, max_tokens: 9 },
    },
  ],
])("%s %j is sent", async (api, members, expected) => {
  const { status, sent } = await ask(api, members);
  expect([status, sent]).toMatchObject([200, expected]);
});

/** Anything else goes without, and the row names it. */
test.each<[Api, Members, string]>([
  [
    "chat",
    { stream_options: { include_obfuscation: false } },
    "stream_options.include_obfuscation",
  ],
  ["chat", { messages: [{ role: "user", content: "Hi.", name: "Ann" }] }, "messages[].name"],
  ["chat", { include_reasoning: false }, "include_reasoning"],
  ["messages", { flavour: "mint" }, "flavour"],
  ["messages", { thinking: { type: "enabled", budget_tokens: 5 } }, "thinking.budget_tokens"],
  [
    "messages",
    { messages: say([{ type: "text", text: "Hi.", cache_control: { type: "ephemeral" } }]) },
    "messages[].content[].cache_control",
  ],
  ["responses", { flavour: "mint" }, "flavour"],
  ["responses", { reasoning: { summary: "auto" } }, "reasoning.summary"],
  ["content", { flavour: "mint" }, "flavour"],
  [
    "content",
    {
      tools: googleTools,
      toolConfig: { functionCallingConfig: { mode: "VALIDATED" } },
    },
    "toolConfig.functionCallingConfig.mode",
  ],
  [
    "content",
    { generationConfig: { thinkingConfig: { thinkingBudget: 5 } } },
    "generationConfig.thinkingConfig.thinkingBudget",
  ],
])("%s %j is left out and named", async (api, members, name) => {
  const { status, ignored } = await ask(api, members);
  expect([status, ignored]).toEqual([200, [name]]);
});

/** Odd, and answered all the same: by the engine, or with a reason. */
test.each<[Api, Members, number]>([
  ["chat", { messages: [] }, 200],
  ["chat", { messages: say("") }, 200],
  ["chat", { messages: say(null) }, 200],
  ["chat", { messages: [{ role: "tool", tool_call_id: "none", content: "?" }] }, 200],
  ["chat", { messages: [...hi, { role: "system", content: "Be brief." }] }, 200],
  ["chat", { tools: [{ type: "function", function: { name: "x".repeat(9_999) } }] }, 200],
  ["messages", { messages: [] }, 200],
  ["messages", { messages: say([]), system: "" }, 200],
  ["responses", { input: [] }, 200],
  ["responses", { input: "" }, 200],
  ["content", { contents: [] }, 200],
  ["content", { contents: "Hi." }, 400],
])("%s %j has status %i at last", async (api, members, expected) => {
  const { status, text } = await ask(api, members);
  expect([status, text]).toEqual([expected, expect.any(String)]);
});

test("what the engine's own template refuses is refused in its words", async () => {
  const llm_routes = { policy: { base_url: engine().url, engine: "vllm" } };
  await using rendering = await startGateway({ llm_routes });
  const error = { message: "Roles must alternate.", type: "BadRequestError" };
  engine().script((_request, reply) => void reply.json({ error }, { status: 400 }));
  const answer = await rendering.post("/v1/messages", apis.messages.base);
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { type: "error", error: { message: expect.stringContaining("Roles must alternate.") } },
  ]);
});
