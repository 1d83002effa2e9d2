import { describe, expect, test } from "vitest";
import { NotSupportedByEngine } from "../src/chat.ts";
import { endpointsByName } from "../src/endpoints.ts";

const schema = { type: "object", properties: { q: { type: "string" } } };
const image = "data:image/png;base64,AAAA";

/** What its requests say that no engine reads. */
const ignored = {
  chat_completions: ["metadata"],
  messages: ["metadata", "system[].cache_control", "messages[].content[].signature"],
  responses: ["metadata"],
  generate_content: ["labels", "contents[].parts[].thoughtSignature"],
};

/** The same conversation in each API. */
const requests = {
  chat_completions: {
    messages: [
      { role: "developer", content: "Be careful." },
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "text", text: "up a." },
        ],
      },
      {
        role: "assistant",
        content: "I look.",
        reasoning_content: "Hm.",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "look_up", arguments: '{"q":"a"}' } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "42" },
      {
        role: "user",
        content: [
          { type: "text", text: "And this?" },
          { type: "image_url", image_url: { url: image } },
        ],
      },
    ],
    tools: [
      { type: "function", function: { name: "look_up", description: "d", parameters: schema } },
    ],
    tool_choice: "required",
    max_tokens: 9,
    temperature: 0.5,
    reasoning_effort: "low",
    response_format: { type: "json_schema", json_schema: { name: "answer", schema, strict: true } },
    metadata: { a: "b" },
  },
  messages: {
    system: [
      { type: "text", text: "x-anthropic-billing-header: cch=1" },
      { type: "text", text: "Be careful.", cache_control: { type: "ephemeral" } },
    ],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "text", text: "up a." },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "s" },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "c1", name: "look_up", input: { q: "a" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "42" }] },
          { type: "text", text: "And this?" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
        ],
      },
    ],
    tools: [{ name: "look_up", description: "d", input_schema: schema }],
    tool_choice: { type: "any" },
    max_tokens: 9,
    temperature: 0.5,
    output_config: { effort: "low", format: { type: "json_schema", schema } },
    metadata: { user_id: "u" },
  },
  responses: {
    instructions: "Be careful.",
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "Look" },
          { type: "input_text", text: "up a." },
        ],
      },
      {
        type: "reasoning",
        id: "r",
        summary: [],
        encrypted_content: Buffer.from("Hm.").toString("base64"),
      },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
      { type: "function_call", call_id: "c1", name: "look_up", arguments: '{"q":"a"}' },
      { type: "function_call_output", call_id: "c1", output: "42" },
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "And this?" },
          { type: "input_image", image_url: image },
        ],
      },
    ],
    tools: [{ type: "function", name: "look_up", description: "d", parameters: schema }],
    tool_choice: "required",
    max_output_tokens: 9,
    temperature: 0.5,
    reasoning: { effort: "low" },
    text: { format: { type: "json_schema", name: "answer", schema, strict: true } },
    metadata: { a: "b" },
  },
  generate_content: {
    systemInstruction: { parts: [{ text: "Be careful." }] },
    contents: [
      { role: "user", parts: [{ text: "Look" }, { text: "up a." }] },
      {
        role: "model",
        parts: [
          { text: "Hm.", thought: true, thoughtSignature: "s" },
          { text: "I look." },
          { functionCall: { id: "c1", name: "look_up", args: { q: "a" } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "c1", name: "look_up", response: { output: "42" } } },
          { text: "And this?" },
          { inlineData: { mimeType: "image/png", data: "AAAA" } },
        ],
      },
    ],
    tools: [
      {
        functionDeclarations: [
          {
            name: "look_up",
            description: "d",
            parameters: { type: "OBJECT", properties: { q: { type: "STRING" } } },
          },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: "ANY" } },
    generationConfig: {
      maxOutputTokens: 9,
      temperature: 0.5,
      responseMimeType: "application/json",
      responseJsonSchema: schema,
      thinkingConfig: { thinkingLevel: "LOW", includeThoughts: true },
    },
    labels: { a: "b" },
  },
} as const;

type Name = keyof typeof requests;
const names = Object.keys(requests) as Name[];
const read = (name: Name, more: object) =>
  endpointsByName[name].chat?.read({ ...requests[name], ...more });

test.each(names)("%s: a conversation reads as in every other API", (name) => {
  expect(read(name, {})).toEqual({
    messages: [
      { role: "system", content: "Be careful." },
      { role: "user", content: "Look\nup a." },
      {
        role: "assistant",
        content: "I look.",
        reasoning_content: "Hm.",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "look_up", arguments: { q: "a" } } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "42" },
      {
        role: "user",
        content: [
          { type: "text", text: "And this?" },
          { type: "image_url", image_url: { url: image } },
        ],
      },
    ],
    tools: requests.chat_completions.tools,
    variables: { reasoning_effort: "low" },
    members: {
      tool_choice: "required",
      max_tokens: 9,
      temperature: 0.5,
      reasoning_effort: "low",
      response_format: requests.chat_completions.response_format,
    },
    ignored: ignored[name],
  });
});

describe.each<[Name, object, string]>([
  ["chat_completions", { n: 2 }, "n"],
  ["chat_completions", { modalities: ["text", "audio"] }, "modalities"],
  ["chat_completions", { kv_transfer_params: {} }, "kv_transfer_params"],
  ["chat_completions", { tools: [{ type: "custom", custom: { name: "x" } }] }, "tools[0].type"],
  [
    "chat_completions",
    { messages: [{ role: "user", content: [{ type: "input_audio", input_audio: {} }] }] },
    "messages[0].content[0].type",
  ],
  ["messages", { tools: [{ type: "web_search_20250305", name: "web_search" }] }, "tools[0].type"],
  ["messages", { mcp_servers: [{ type: "url" }] }, "mcp_servers"],
  [
    "messages",
    {
      messages: [
        { role: "user", content: [{ type: "document", source: { type: "file", file_id: "f" } }] },
      ],
    },
    "messages[0].content[0].type",
  ],
  [
    "messages",
    {
      messages: [
        { role: "user", content: [{ type: "image", source: { type: "file", file_id: "f" } }] },
      ],
    },
    "messages[0].content[0].type",
  ],
  [
    "messages",
    {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Read" },
            { type: "tool_result", tool_use_id: "c", content: [{ type: "document", source: {} }] },
          ],
        },
      ],
    },
    "messages[0].content[1].content[0].type",
  ],
  ["messages", { output_config: { format: { type: "grammar" } } }, "output_config.format"],
  [
    "chat_completions",
    {
      messages: [
        { role: "user", content: "Hi" },
        { role: "critic", content: "Bad." },
      ],
    },
    "messages[1].role",
  ],
  ["responses", { tool_choice: { type: "allowed_tools", tools: [] } }, "tool_choice"],
  ["generate_content", { tools: [{ googleSearch: {} }] }, "tools[0].googleSearch"],
  ["generate_content", { cachedContent: "cachedContents/x" }, "cachedContent"],
  [
    "generate_content",
    { generationConfig: { candidateCount: 2 } },
    "generationConfig.candidateCount",
  ],
  [
    "generate_content",
    {
      contents: [{ role: "user", parts: [{ fileData: { fileUri: "u", mimeType: "video/mp4" } }] }],
    },
    "contents[0].parts[0].fileData",
  ],
  ["responses", { tools: [{ type: "web_search" }] }, "tools[0].type"],
  ["responses", { background: true }, "background"],
  ["responses", { previous_response_id: "resp_1" }, "previous_response_id"],
  ["responses", { input: [{ type: "item_reference", id: "x" }] }, "input[0].type"],
  [
    "responses",
    { input: [{ role: "user", content: [{ type: "input_file", file_id: "f" }] }] },
    "input[0].content[0].type",
  ],
])("%s with %j", (name, more, param) => {
  test(`is refused for '${param}'`, () => {
    const refusal = expect(() => read(name, more));
    refusal.toThrow(NotSupportedByEngine);
    refusal.toThrow(expect.objectContaining({ param }));
  });
});

test("a custom tool is a function with one text", () => {
  const more = {
    tools: [{ type: "custom", name: "apply_patch", description: "d" }],
    input: [
      { type: "custom_tool_call", call_id: "c", name: "apply_patch", input: "*** Begin" },
      { type: "custom_tool_call_output", call_id: "c", output: "done" },
    ],
  };
  const { tools, messages } = read("responses", more) ?? {};
  expect(tools).toMatchObject([{ type: "function", function: { name: "apply_patch" } }]);
  expect(messages).toMatchObject([
    { role: "system" },
    { tool_calls: [{ function: { name: "apply_patch", arguments: { input: "*** Begin" } } }] },
    { role: "tool", content: "done" },
  ]);
});
