import { expect, test } from "vitest";
import { endpointsByName } from "../../src/endpoints.ts";

type Name = "chat_completions" | "responses" | "messages" | "completions";

const read = (name: Name, body: Record<string, unknown>) =>
  endpointsByName[name].readRequest?.({ model: "policy", ...body });

const user = (content: unknown) => [{ role: "user", content }];

test.each<[Name, Record<string, unknown>, readonly string[]]>([
  ["chat_completions", { messages: [], logit_bias: { 5: 1 }, user: "me" }, ["logit_bias", "user"]],
  [
    "chat_completions",
    { messages: [{ role: "user", name: "Ann", content: "Hi" }] },
    ["messages[].name"],
  ],
  [
    "chat_completions",
    {
      messages: user([
        { type: "input_audio", input_audio: { data: "" } },
        { type: "text", text: "a" },
      ]),
    },
    ["messages[].content[].input_audio"],
  ],
  [
    "chat_completions",
    {
      messages: user([{ type: "image_url", image_url: { url: "https://a.b/c", detail: "high" } }]),
    },
    ["messages[].content[].image_url.detail"],
  ],
  [
    "chat_completions",
    { messages: [], tools: [{ type: "custom", custom: { name: "a" } }] },
    ["tools[].custom"],
  ],
  [
    "chat_completions",
    { messages: "Hi", temperature: "hot", stop: [1] },
    ["temperature", "messages", "stop"],
  ],
  [
    "chat_completions",
    { messages: [7], tool_choice: { type: "allowed_tools" } },
    ["messages", "tool_choice"],
  ],
  ["chat_completions", { response_format: { type: "grammar" } }, ["response_format"]],
  [
    "responses",
    { input: "Hi", previous_response_id: "resp_1", store: true },
    ["previous_response_id", "store"],
  ],
  ["responses", { input: [{ type: "item_reference", id: "msg_1" }] }, ["input[].item_reference"]],
  [
    "responses",
    { input: [{ type: "reasoning", encrypted_content: "eA==" }] },
    ["input[].encrypted_content"],
  ],
  ["responses", { input: "Hi", tools: [{ type: "web_search" }] }, ["tools[].web_search"]],
  [
    "responses",
    { input: "Hi", include: ["reasoning.encrypted_content"] },
    ["include.reasoning.encrypted_content"],
  ],
  ["responses", { input: "Hi", text: { verbosity: "low" } }, ["text.verbosity"]],
  [
    "messages",
    { system: [{ type: "text", text: "a", cache_control: { type: "ephemeral" } }], messages: [] },
    ["system[].cache_control"],
  ],
  [
    "messages",
    { messages: user([{ type: "thinking", thinking: "a", signature: "s" }, { type: "document" }]) },
    ["messages[].content[].signature", "messages[].content[].document"],
  ],
  [
    "messages",
    { messages: [], thinking: { type: "enabled" }, metadata: {} },
    ["thinking", "metadata"],
  ],
  [
    "messages",
    { messages: [], tools: [{ type: "bash_20250124", name: "bash" }] },
    ["tools[].bash_20250124"],
  ],
  ["completions", { prompt: [1, 2, 3], suffix: "a" }, ["suffix", "prompt"]],
])("what a conversation cannot express is named: %s %j", (name, body, names) => {
  expect(read(name, body)?.unsupported).toEqual(names);
});

test.each<[Name, Record<string, unknown>]>([
  [
    "chat_completions",
    { messages: [{ role: "assistant", content: "Hi", annotations: [], audio: null }] },
  ],
  ["chat_completions", { messages: [], user: null, tools: [] }],
  ["responses", { input: "Hi", instructions: null, previous_response_id: null, metadata: null }],
  ["messages", { messages: [], tools: [], metadata: null }],
])("a member that is null or an empty list says nothing: %s %j", (name, body) => {
  expect(read(name, body)?.unsupported).toEqual([]);
});

test("what an API cannot say of a conversation is named", () => {
  const asked = read("chat_completions", {
    messages: [{ role: "assistant", content: "Hi", reasoning_content: "They greet." }],
    ...{
      stop: ["x"],
      seed: 1,
      n: 2,
      reasoning_effort: "low",
      response_format: { type: "json_object" },
    },
  });
  const written = (name: Name): readonly string[] | undefined =>
    asked && endpointsByName[name].writeRequest?.(asked.conversation).unsupported;
  expect(written("chat_completions")).toEqual([]);
  expect(written("responses")?.toSorted()).toEqual(["n", "seed", "stop"]);
  expect(written("messages")?.toSorted()).toEqual([
    ...["format", "messages[].reasoning", "n", "reasoning_effort", "seed"],
  ]);
  expect(written("completions")?.toSorted()).toEqual([
    ...["format", "messages[].assistant", "messages[].reasoning", "reasoning_effort"],
  ]);
});

test("results and what the user says beside them are messages of their own", () => {
  const results = [
    { type: "tool_result", tool_use_id: "a", content: "3 m", is_error: true },
    { type: "tool_result", tool_use_id: "b", content: [{ type: "text", text: "4 m" }] },
    { type: "text", text: "Go on." },
  ];
  const asked = read("messages", { messages: user(results) });
  expect(asked?.conversation.messages).toEqual([
    {
      role: "tool",
      parts: [expect.objectContaining({ call_id: "a", text: "3 m", is_error: true })],
    },
    { role: "tool", parts: [expect.objectContaining({ call_id: "b", text: "4 m" })] },
    { role: "user", parts: [{ kind: "text", text: "Go on." }] },
  ]);
  const written = asked && endpointsByName.messages.writeRequest?.(asked.conversation);
  expect(written?.body.messages).toHaveLength(1);
});

test("effort and schema of Anthropic's output are those of the conversation", () => {
  const schema = { type: "object", properties: {} };
  const output_config = { effort: "low", format: { type: "json_schema", schema } };
  const asked = read("messages", { messages: user("Hi"), output_config });
  expect(asked).toMatchObject({
    conversation: { reasoning_effort: "low", format: { kind: "json_schema", schema } },
    unsupported: [],
  });
});
