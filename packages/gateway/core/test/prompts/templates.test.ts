import { rm } from "node:fs/promises";
import type { ChatMessage } from "@proj/model-apis";
import { expect, onTestFinished, test } from "vitest";
import { checkTemplate } from "../../src/engine/probe/check-template.ts";
import { LocalRenderer } from "../../src/prompts/rendering/local-renderer.ts";
import type { ChatPrompt } from "../../src/prompts/rendering/renderer.ts";
import { readTokenizerFolder } from "../../src/prompts/rendering/tokenizer-folder.ts";
import { byteFolder, type SpecialToken, textOfBytes } from "./byte-vocabulary.ts";

// Habits of models' chat templates, each as small as it can be.

async function open(files: string | Readonly<Record<string, string>>, tokens: readonly string[]) {
  const special: SpecialToken[] = tokens.map((content) => ({
    content: content.replace("+", ""),
    rstrip: content.endsWith("+"),
  }));
  const own = typeof files === "string" ? { "chat_template.jinja": files } : files;
  const path = await byteFolder(special, own);
  onTestFinished(() => rm(path, { recursive: true }));
  const folder = await readTokenizerFolder(path);
  return { renderer: new LocalRenderer(folder), special };
}

const user = (content: string): ChatMessage => ({ role: "user", content });
const result = (content: string, tool_call_id = "call_1"): ChatMessage => {
  return { role: "tool", tool_call_id, content };
};
const calls = (...ids: readonly string[]): ChatMessage => {
  const call = { name: "f", arguments: { a: 1 } };
  const made = ids.map((id) => ({ id, type: "function" as const, function: call }));
  return { role: "assistant", content: "", tool_calls: made };
};
const plain: ChatMessage = { role: "assistant", content: "x" };
const promptOf = (
  messages: readonly ChatMessage[],
  tools: ChatPrompt["tools"] = null,
): ChatPrompt => {
  return { messages, tools, variables: {} };
};

const loop = (body: string, end = ""): string =>
  `{% for m in messages %}${body}{% endfor %}{% if add_generation_prompt %}${end}{% endif %}`;

/** Nothing is written beside a call, and there is one call in a turn. */
const callAlone = loop(
  "{% if m.tool_calls %}{% if m.tool_calls|length > 1 %}{{ raise_exception('one call!') }}{% endif %}{{ m.tool_calls[0].function|tojson }}{% else %}<{{ m.role }}>{{ m.content }}{% endif %}<end>",
  "<assistant>",
);
/** A call has tokens of its own before the turn's end. */
const callTokens = loop(
  "<{{ m.role }}>{{ m.content }}{% for c in m.tool_calls %}<call>{{ c.function.arguments|tojson }}<called>{% endfor %}<end>",
  "<assistant>",
);
/** No turn has an end: the next one's beginning is what the model stops with. */
const endless = loop(
  "{% if m.role == 'tool' %}<tool>{% else %}<{{ m.role }}>{% endif %}{{ m.content }}{% for c in m.tool_calls %}[{{ c.function.arguments|tojson }}]{% endfor %}",
  "<assistant>",
);
/** The last turn ends with another token than those before it. */
const lastReturns = loop(
  "<{{ m.role }}>{{ m.content }}{{ '<return>' if loop.last and m.role == 'assistant' else '<end>' }}",
  "<assistant>",
);
const tokens = [
  ...["<end>", "<return>", "<call>", "<called>", "<user>", "<tool>", "<assistant>", "<eos>"],
  "<flat>+",
];

test.each<[string, string, ChatMessage, readonly ChatMessage[], string, string | null]>([
  [
    "a call without text",
    callAlone,
    calls("call_1"),
    [result("r")],
    "<end>",
    "<tool>r<end><assistant>",
  ],
  [
    "more calls than it takes",
    callAlone,
    calls("a", "b"),
    [result("r", "a"), result("s", "b")],
    "<end>",
    "<tool>r<end><tool>s<end><assistant>",
  ],
  [
    "tokens of calls",
    callTokens,
    calls("call_1"),
    [result("r")],
    "<end>",
    "<tool>r<end><assistant>",
  ],
  [
    "a model that ends with its call",
    callTokens,
    calls("call_1"),
    [result("r")],
    "<called>",
    "<end><tool>r<end><assistant>",
  ],
  [
    "a model that ends with another token",
    callTokens,
    calls("call_1"),
    [result("r")],
    "<eos>",
    "<tool>r<end><assistant>",
  ],
  [
    "a model that ends without a token",
    callTokens,
    plain,
    [user("u")],
    "x",
    "<end><user>u<end><assistant>",
  ],
  [
    "the next turn's beginning",
    endless,
    calls("call_1"),
    [result("r"), user("u")],
    "<tool>",
    "r<user>u<assistant>",
  ],
  [
    "another turn's beginning",
    endless,
    calls("call_1"),
    [result("r"), user("u")],
    "<user>",
    "<tool>r<user>u<assistant>",
  ],
  ["an end that it never writes", endless, plain, [user("u")], "<eos>", "<user>u<assistant>"],
  [
    "another end of the last turn",
    lastReturns,
    plain,
    [user("u")],
    "<return>",
    "<user>u<end><assistant>",
  ],
  [
    "a token that takes white space",
    loop("<{{ m.role }}>{{ m.content }}<flat>\n", "<assistant>"),
    plain,
    [user("u")],
    "<flat>",
    "<user>u<flat><assistant>",
  ],
  [
    "system texts that it moves",
    loop("{% if m.role != 'system' %}<{{ m.role }}>{{ m.content }}<end>{% endif %}"),
    plain,
    [{ role: "system", content: "Be brief." }, user("u")],
    "<end>",
    null,
  ],
  [
    "turns that it refuses",
    loop("{{ raise_exception('no ' ~ m.role) if m.role == 'tool' }}{{ m.content }}<end>"),
    calls("call_1"),
    [result("r")],
    "<end>",
    null,
  ],
  ["a text that it leaves out", loop("<{{ m.role }}><end>"), plain, [user("u")], "<end>", null],
])("what is added behind %s", async (_, template, after, messages, end, expected) => {
  const { renderer, special } = await open(template, tokens);
  const at = special.findIndex(({ content }) => content === end);
  const last = at < 0 ? end.charCodeAt(0) : 256 + at;
  const ids = await renderer.renderAdded({ after, messages, tools: null, variables: {}, last });
  expect(ids && textOfBytes(ids, special)).toBe(expected);
});

test("conversations that a template refuses are given to it in another form", async () => {
  const template = loop(
    "{% if m.role == 'system' and not loop.first %}{{ raise_exception('not first') }}{% endif %}{% for id in [m.tool_call_id] + (m.tool_calls or [])|map(attribute='id')|list %}{% if id is defined and id|length != 9 %}{{ raise_exception('nine!') }}{% endif %}{% endfor %}{{ m.role }}:{{ m.content }}{{ m.tool_calls[0].function.arguments|tojson if m.tool_calls }};",
    "{% for t in tools or [] %}{{ '' + t.function.description }}{% endfor %}>",
  );
  const { renderer } = await open(template, tokens);
  const tool = { type: "function", function: { name: "f", description: null } };
  const late = [
    user("u"),
    { role: "system", content: "s" },
    { role: "system", content: "t" },
  ] as const;
  expect(renderer.text(promptOf(late))).toBe("system:s\n\nt;user:u;>");
  const called = [user("u"), calls("call_1"), result("r")];
  expect(renderer.text(promptOf(called))).toBe('user:u;assistant:{"a": 1};tool:r;>');
  expect(renderer.text(promptOf([...late, ...called], [tool]))).toBe(
    'system:s\n\nt;user:u;user:u;assistant:{"a": 1};tool:r;>',
  );
  const added = { after: calls("call_1"), messages: [result("r")], tools: [tool], variables: {} };
  const ids = (await renderer.renderAdded({ ...added, last: "x".charCodeAt(0) })) ?? [];
  expect(Buffer.from(ids).toString()).toBe("tool:r;>");
});

test("a template that leaves out texts gets parts", async () => {
  const template = loop(
    "<{{ m.role }}>{% for part in m.content %}{{ part.text }}{% endfor %}<end>",
  );
  const { renderer, special } = await open(template, tokens);
  expect(renderer.text(promptOf([user("u"), plain]))).toBe("<user>u<end><assistant>x<end>");
  const ids = await renderer.renderAdded({ ...promptOf([user("v")]), after: plain, last: 256 });
  expect(ids && textOfBytes(ids, special)).toBe("<user>v<end>");
});

test("templates read thinking by either name, and arguments that are objects", async () => {
  const template = loop(
    "{{ m.reasoning }}{{ m.reasoning_content }}{% for c in m.tool_calls %}{% for k, v in c.function.arguments.items() %}{{ k }}{{ v }}{% endfor %}{% endfor %}",
  );
  const { renderer } = await open(template, tokens);
  const call = { name: "f", arguments: '{"a": 1' };
  const broken = [{ id: "call_2", type: "function" as const, function: call }];
  const thought = { ...calls("call_1"), reasoning_content: "t" };
  expect(renderer.text(promptOf([thought, { ...thought, tool_calls: broken }]))).toBe("tta1tt");
});

test.each<[string, Readonly<Record<string, string>>]>([
  [
    "a file of its own",
    { "chat_template.jinja": "plain", "additional_chat_templates/tool_use.jinja": "with tools" },
  ],
  [
    "the configuration",
    {
      "tokenizer_config.json": JSON.stringify({
        chat_template: [
          { name: "default", template: "plain" },
          { name: "tool_use", template: "with tools" },
        ],
      }),
    },
  ],
])("a template for tools in %s", async (_, files) => {
  const { renderer } = await open(files, tokens);
  expect(renderer.text(promptOf([user("u")]))).toBe("plain");
  expect(renderer.text(promptOf([user("u")], [{ type: "function" }]))).toBe("with tools");
});

test.each([
  ["{{ m.role }}{{ m.content }}", "ok", "and what a tool returns"],
  ["{{ m.content if m.role != 'tool' }}", "warning", "leaves out what a tool returns"],
  ["{{ raise_exception('no tools') if m.role == 'tool' }}", "warning", "no tools"],
])("the probe tells what %s makes of a tool's result", async (template, level, message) => {
  const { renderer } = await open(loop(template), tokens);
  const question = { ...promptOf([user("u")], [{ type: "function" }]), members: {}, ignored: [] };
  const { signal } = new AbortController();
  const finding = await checkTemplate(renderer, question, 1, signal);
  expect(finding).toMatchObject({ level, message: expect.stringContaining(message) });
});
