import { isLeftOutWithoutPython, pythonWith } from "@proj/test-kit";
import { expect, test } from "vitest";
import { vocabularies } from "./vocabularies.ts";

// Prime Intellect's `renderers` write each model's prompts in Python code of their own, without its template.
const python = await pythonWith(["renderers==0.1.12", "transformers==5.19.0", "httpx==0.28.1"]);
const isLeftOut = isLeftOutWithoutPython("prompts compared with renderers", python);

const program = `
import json, sys
from renderers import create_renderer, Qwen3RendererConfig, DeepSeekV3RendererConfig
from transformers import PreTrainedTokenizerFast
configs = {"qwen3": Qwen3RendererConfig, "deepseek_v3": DeepSeekV3RendererConfig}
given = json.loads(sys.argv[1])
tokenizer = PreTrainedTokenizerFast.from_pretrained(given["folder"])
renderer = create_renderer(tokenizer, configs[given["name"]]())
prompt = renderer.render_ids(given["messages"], tools=given["tools"], add_generation_prompt=True)
following = renderer.bridge_to_next_turn(prompt, given["sampled"], given["added"], tools=given["tools"])
print(json.dumps([prompt, None if following is None else following.token_ids]))`;

const press = {
  type: "function",
  function: {
    name: "press",
    description: "Press a key.",
    parameters: { type: "object", properties: { key: { type: "string" } }, required: ["key"] },
  },
};
const call = (key: string) => ({
  id: "c1",
  type: "function" as const,
  function: { name: "press", arguments: { key } },
});

// Its Llama 3 wants a token that the vocabulary from npm lacks.
const both = vocabularies.filter(({ name }) => name !== "llama3_1");

test.skipIf(isLeftOut).each(both)(
  "$name: prompts, and what continues them, are those of renderers",
  async ({ name, path, renderer, encode, stop }) => {
    // Only Qwen's template takes tools in this form.
    const tools = name === "qwen3" ? [press] : null;
    const messages = [
      { role: "system" as const, content: "You press keys." },
      { role: "user" as const, content: "Größe: 数字 🙂\n\t'x'" },
      ...(tools === null
        ? [{ role: "assistant" as const, content: "Which?" }]
        : [
            { role: "assistant" as const, content: "I press.", tool_calls: [call("é")] },
            { role: "tool" as const, tool_call_id: "c1", content: '{"ok": true}' },
            { role: "assistant" as const, content: "Done." },
          ]),
      { role: "user" as const, content: "And b?" },
    ];
    const sampled = [..."Répertoire"].flatMap(encode).concat(stop);
    // At a user's message, renderers would drop Qwen's thinking and render everything again.
    const added =
      tools === null
        ? [{ role: "user" as const, content: "  go on " }]
        : [{ role: "tool" as const, tool_call_id: "c1", content: " done " }];
    const given = { name, folder: path, messages, tools, sampled, added };
    const [prompt, following] = JSON.parse(
      (await python?.run(program, JSON.stringify(given))) ?? "null",
    );
    const whole = [...(await renderer.render({ messages, tools, variables: {} }))];
    expect(whole).toEqual(prompt);
    const calls = tools === null ? {} : { tool_calls: [call("b")] };
    const after = { role: "assistant" as const, content: "Répertoire", ...calls };
    const last = { after, messages: added, tools, variables: {}, last: stop };
    const own = [...((await renderer.renderAdded(last)) ?? [])];
    expect([...whole, ...sampled, ...own]).toEqual(following);
  },
  120_000,
);
