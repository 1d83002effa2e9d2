import { type EngineProbeBody, parseConfig, type RouteConfig } from "@proj/gateway-protocol";
import { sequences } from "@proj/sequences";
import { isLeftOutWithoutVllm, startVllm, type Vllm } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askParse } from "../../src/engine/ask-parse.ts";
import { LocalRenderer, readTokenizerFolder } from "../../src/prompts/index.ts";
import { type StepRecord, startGateway, type TestGateway } from "../start-gateway.ts";
import { apis } from "./asking.ts";
import { recordedSteps } from "./recorded-steps.ts";
import { strangers } from "./vllm-strangers.ts";

const isLeftOut = isLeftOutWithoutVllm("engine routes with the real vLLM");

type Members = Record<string, unknown>;

/** A conversation's next request and its answer, in one API. */
interface Dialect {
  readonly path: string;
  readonly history: string;
  readonly request: Members;
  readonly tools: Members[];
  readonly required: Members;
  said(text: string): Members;
  /** What the agent adds to its history: the answer as it sends it back, and the results of its calls. */
  givenBack(answer: Members): Members[];
}

const key = { type: "string", maxLength: 5 };
const parameters = {
  type: "object",
  properties: { key },
  required: ["key"],
  additionalProperties: false,
};
const press = { name: "press", description: "Press a key.", parameters };
/** The random model ends its turns by chance, and sooner with this. */
const bias = { "2": 5 };

const chat: Dialect = {
  path: "chat/completions",
  history: "messages",
  request: { max_tokens: 300, logit_bias: bias },
  tools: [{ type: "function", function: press }],
  required: { tool_choice: "required" },
  said: (content) => ({ role: "user", content }),
  givenBack: ({ choices }) => {
    const [{ message }] = choices as [
      { message: { content: string | null; tool_calls?: { id: string }[] } },
    ];
    const results = (message.tool_calls ?? []).map(({ id }) => ({
      role: "tool",
      tool_call_id: id,
      content: "done",
    }));
    // As many agents do, it trims the text.
    return [
      { ...message, role: "assistant", content: message.content?.trim() ?? null },
      ...results,
    ];
  },
};
const messages: Dialect = {
  path: "messages",
  history: "messages",
  request: { max_tokens: 300, system: "You press keys." },
  tools: [{ name: "press", description: "Press a key.", input_schema: parameters }],
  required: { tool_choice: { type: "any" } },
  said: (content) => ({ role: "user", content }),
  givenBack: ({ content }) => {
    const blocks = content as { type: string; id?: string }[];
    const results = blocks
      .filter(({ type }) => type === "tool_use")
      .map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "done" }));
    const answer = { role: "assistant", content: blocks.length === 0 ? "" : blocks };
    return results.length === 0 ? [answer] : [answer, { role: "user", content: results }];
  },
};
const responses: Dialect = {
  path: "responses",
  history: "input",
  request: { max_output_tokens: 300, instructions: "You press keys." },
  tools: [{ type: "function", ...press }],
  required: { tool_choice: "required" },
  said: (content) => ({ role: "user", content }),
  givenBack: ({ output }) => {
    const items = output as { type: string; call_id?: string }[];
    const results = items
      .filter(({ type }) => type === "function_call")
      .map(({ call_id }) => ({ type: "function_call_output", call_id, output: "done" }));
    return [...(items as Members[]), ...results];
  },
};

describe.skipIf(isLeftOut)("with the real vLLM", () => {
  let vllm: Vllm;
  let gateway: TestGateway;
  beforeAll(async () => {
    vllm = await startVllm();
    const route = {
      base_url: vllm.url,
      engine: "vllm",
      upstream_model: "tiny",
      extra_body: { logit_bias: bias },
    };
    gateway = await startGateway({
      llm_routes: { here: { ...route, tokenizer: vllm.model }, there: route },
    });
  }, 400_000);
  afterAll(async () => {
    await gateway?.close();
    await vllm?.[Symbol.asyncDispose]();
  });

  async function rollout(
    session: string,
    model: string,
    dialect: Dialect,
    callsTools = true,
  ): Promise<StepRecord[]> {
    const { path, history, request, tools, required, said, givenBack } = dialect;
    const held: Members[] = [said("Press a key.")];
    for (let turn = 0; turn < 5; turn += 1) {
      const body = {
        model,
        ...request,
        tools,
        [history]: held,
        ...(callsTools && turn % 2 === 1 ? required : {}),
      };
      const answer = await gateway.post(`/v1/sessions/${session}/${path}`, body);
      const text = await answer.text();
      expect([answer.status, text]).toEqual([200, expect.any(String)]);
      const given = givenBack(JSON.parse(text));
      held.push(
        ...given,
        ...(JSON.stringify(given).includes("done") ? [] : [said(`go on ${turn}`)]),
      );
    }
    return gateway.steps(session);
  }

  test.each([
    ["here", "chat", chat],
    ["here", "messages", messages],
    ["here", "responses", responses],
    ["there", "chat", chat],
    ["there", "messages", messages],
    ["there", "responses", responses],
  ] as const)(
    "prompts rendered %s continue token for token over %s",
    async (model, name, dialect) => {
      for (let index = 0; index < 4; index += 1) {
        const rows = await rollout(`${model}-${name}-${index}`, model, dialect);
        const engines = rows.map(({ response }) => JSON.parse(response ?? "null").engine);
        expect(engines.map(({ prompt_mismatch }) => prompt_mismatch)).toEqual(
          rows.map(() => false),
        );
        for (const [at, { made, reason, token_ids, logprobs }] of engines.entries()) {
          expect(logprobs).toHaveLength(token_ids.length);
          // Only an answer that ran into its limit cannot be continued.
          const before = engines[at - 1];
          if (at > 0 && before.cut === null)
            expect([at, made, reason]).toEqual([at, "continued", null]);
        }
        const { ledger } = sequences(recordedSteps(rows));
        expect(ledger.delivered_fraction).toBe(1);
        const cuts = engines.slice(0, -1).filter(({ cut }) => cut !== null).length;
        const breaks = Object.values(ledger.breaks_by_reason).reduce(
          (sum, count) => sum + count,
          0,
        );
        // What was rendered after a cut may still begin with the same tokens.
        expect(breaks).toBeLessThanOrEqual(cuts + 1);
      }
    },
    200_000,
  );

  test("strangers are answered with the engine's own prompts, or refused as it refuses", async () => {
    const limits = { chat: { max_tokens: 8 }, responses: { max_output_tokens: 8 } };
    const ask = async ([api, members, expected]: (typeof strangers)[number], model: string) => {
      const { path, base } = apis[api];
      const session = crypto.randomUUID();
      const named = api === "content" ? {} : { model };
      const body = {
        ...base,
        ...named,
        ...{ ...limits, messages: {}, content: {} }[api],
        ...members,
      };
      const url = `/v1/sessions/${session}/${path.replace("policy", model)}`;
      const { status } = await gateway.post(url, body);
      const [row] = gateway.steps(session);
      // What the engine refused to render has no row.
      expect([members, status, row?.status_code ?? status]).toEqual([members, expected, expected]);
      if (status !== 200) return;
      const { engine } = JSON.parse(row?.response ?? "null");
      expect(engine).toMatchObject({ prompt_mismatch: false, made: "rendered" });
      expect([members, engine.logprobs.length]).toEqual([members, engine.token_ids.length]);
      if (api !== "chat") return;
      const rendered = await fetch(`${vllm.url}/chat/completions/render`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...body, model: "tiny" }),
      });
      const { token_ids } = (await rendered.json()) as { token_ids?: number[] };
      // vLLM refuses an empty list of tools.
      if (rendered.status === 200)
        expect([members, engine.prompt.ids]).toEqual([members, token_ids]);
    };
    await Promise.all(strangers.flatMap((asked) => [ask(asked, "here"), ask(asked, "there")]));
  }, 200_000);

  test("a prompt that is rendered here is the engine's own", async () => {
    const renderer = new LocalRenderer(await readTokenizerFolder(vllm.model));
    const call = {
      id: "c1",
      type: "function",
      function: { name: "press", arguments: { key: "é", n: 1.5, ok: true } },
    };
    const conversations = [
      [{ role: "user", content: 'Größe: 数字 🙂 <b>&amp;\n\t"x"' }],
      [
        { role: "system", content: "Be careful." },
        { role: "user", content: "Press a." },
        { role: "assistant", content: "I press.", reasoning_content: "Hm.", tool_calls: [call] },
        { role: "tool", tool_call_id: "c1", content: '{"ok": true}' },
      ],
      [
        { role: "user", content: "Press a." },
        { role: "assistant", content: "Done.", reasoning_content: "Hm." },
        { role: "user", content: "  And b?  " },
      ],
    ];
    const tools = [
      { type: "function", function: { ...press, parameters: { ...parameters, title: "Ä" } } },
    ];
    for (const messages of conversations) {
      const sent = messages.map((message) =>
        "tool_calls" in message
          ? {
              ...message,
              tool_calls: [
                {
                  ...call,
                  function: {
                    ...call.function,
                    arguments: JSON.stringify(call.function.arguments),
                  },
                },
              ],
            }
          : message,
      );
      const answer = await fetch(`${vllm.url}/chat/completions/render`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: "tiny", messages: sent, tools }),
      });
      const { token_ids } = (await answer.json()) as { token_ids: number[] };
      const ids = await renderer.render({ messages, tools, variables: {} } as Parameters<
        LocalRenderer["render"]
      >[0]);
      expect([...ids]).toEqual(token_ids);
    }
  });

  test("the probe finds an engine that is started for training", async () => {
    const answer = await fetch(`${gateway.url}/v1/routes/here/engine`);
    const { upstreams } = (await answer.json()) as EngineProbeBody;
    const found = upstreams.flatMap(({ findings }) => findings);
    expect(found.filter(({ level }) => level !== "ok")).toEqual([]);
    expect(found.map(({ check }) => check)).toEqual([
      ...["template", "token_ids", "logprobs", "tool_parser", "reasoning_parser"],
      ...["weight_versions", "context_length"],
    ]);
  });

  const maxAttempts = 40;

  /** An answer that was paused. On a busy machine an engine may have written all before it obeys: it is asked again. */
  async function pausedAnswer(name: string, engine: "keep" | "abort"): Promise<StepRecord> {
    for (let attempt = 1; ; attempt += 1) {
      const row = await answerWithPause(`${name}-${attempt}`, engine);
      const [step] = recordedSteps([row]);
      const versions = step?.versions?.map(({ version }) => version);
      if (versions?.length === 1 && attempt < maxAttempts) continue;
      expect(versions).toEqual(["step-1", "step-2"]);
      expect(step?.versions?.at(-1)?.end).toBe(6_000);
      expect(step?.completion_ids).toHaveLength(6_000);
      expect(step?.logprobs).toHaveLength(6_000);
      return row;
    }
  }

  /** Pauses the engine once an answer's first piece has come, and resumes it with other weights. */
  async function answerWithPause(session: string, engine: "keep" | "abort"): Promise<StepRecord> {
    const order = async (verb: string, body: object): Promise<void> => {
      const answer = await gateway.post(`/v1/routes/here/${verb}`, body);
      expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
    };
    await order("resume", { weight_version: "step-1", engine: true });
    const answer = await gateway.post(`/v1/sessions/${session}/chat/completions`, {
      model: "here",
      stream: true,
      max_tokens: 6_000,
      ignore_eos: true,
      messages: [{ role: "user", content: "Go on." }],
    });
    let [said, isPaused] = ["", false];
    for await (const chunk of answer.body ?? []) {
      // The first words, because an answer begins before its first token; a small model writes the rest within seconds.
      if (isPaused) continue;
      said += Buffer.from(chunk).toString();
      isPaused = /"content":"[^"]/.test(said);
      if (!isPaused) continue;
      await order("pause", { mode: "hold", engine });
      const info = await fetch(new URL("/weight_info", vllm.url));
      expect(await info.json()).toMatchObject({ weight_version: "step-1" });
      await order("resume", { weight_version: "step-2", engine: true });
    }
    const [row] = gateway.steps(session);
    if (row === undefined) throw new Error("the answer has no row");
    return row;
  }

  test("an answer that is kept through a pause goes on with other weights", async () => {
    await pausedAnswer("kept", "keep");
  }, 600_000);

  test("an answer that a pause aborts goes on from its tokens", async () => {
    const { response } = await pausedAnswer("aborted", "abort");
    const { engine, choices } = JSON.parse(response ?? "null");
    expect(engine).toMatchObject({ resumed: [engine.versions[0].end], prompt_mismatch: false });
    const detokenized = await fetch(new URL("/detokenize", vllm.url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "tiny", tokens: engine.token_ids }),
    });
    const { prompt } = (await detokenized.json()) as { prompt: string };
    // Bytes that are not a character are shown by where they were cut.
    const characters = (shown: string): string =>
      shown.replace(/<\|\w+\|>/g, "").replace(/[^\x20-\x7e]/g, "");
    expect(characters(choices[0].message.content)).toBe(characters(prompt));
  }, 600_000);

  test("its own parser finds the calls in an answer's ids, as it gives them out", async () => {
    const post = async (path: string, body: Members): Promise<Members> => {
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify({ model: "tiny", ...body }) };
      return (await fetch(new URL(path, vllm.url), init)).json() as Promise<Members>;
    };
    const given = '{"key": "a \\"quoted\\" one"}';
    const call = `<tool_call>\n{"name": "press", "arguments": ${given}}\n</tool_call>`;
    const prompt = `I press.\n${call}\n${call}`;
    const { tokens } = await post("/tokenize", { prompt, add_special_tokens: false });
    const { llm_routes } = parseConfig(
      JSON.stringify({ llm_routes: { policy: { base_url: vllm.url, engine: "vllm" } } }),
      "test.yaml",
      {},
    );
    const route = llm_routes.policy as RouteConfig;
    const asked = { messages: [], tools: chat.tools, variables: {}, members: {}, ignored: [] };
    const signal = AbortSignal.timeout(60_000);
    const calls = await askParse(route, "tiny", asked, [1, 2], tokens as number[], signal);
    expect(calls).toEqual([
      { name: "press", arguments: given },
      { name: "press", arguments: given },
    ]);
  });

  // A forced call's tokens have those of the grammar that they were chosen by.
  test("log probabilities are those that the model itself computes of the sequence", async () => {
    const rows = await rollout("logprobs", "here", chat, false);
    const steps = recordedSteps(rows);
    const given = steps.map(({ prompt_ids, completion_ids }) => {
      const before = Array.from(prompt_ids ?? []);
      return [[...before, ...Array.from(completion_ids ?? [])], before.length];
    });
    const program = `
import json, sys, torch
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained(sys.argv[1]).float()
def recompute(ids, start):
    logits = model(torch.tensor([ids])).logits[0]
    logits[:, 2] += 5
    found = logits.log_softmax(-1)
    return [found[at - 1, ids[at]].item() for at in range(start, len(ids))]
print(json.dumps([recompute(ids, start) for ids, start in json.loads(sys.argv[2])]))`;
    const printed = await vllm.python(program, vllm.model, JSON.stringify(given));
    const recomputed: number[][] = JSON.parse(printed);
    for (const [index, { logprobs }] of steps.entries()) {
      const differences = (recomputed[index] ?? []).map((value, at) =>
        Math.abs(value - (logprobs?.[at] ?? 0)),
      );
      expect(Math.max(...differences)).toBeLessThan(1e-3);
    }
  }, 200_000);
});
