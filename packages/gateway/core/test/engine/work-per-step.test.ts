import crypto, { type Hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Tokenizer } from "@huggingface/tokenizers";
import { endpointsByName, requestPath } from "@proj/model-apis";
import { type Reply, startFaultyUpstream } from "@proj/test-kit";
import { expect, test, vi } from "vitest";
import { PythonTemplate } from "../../src/prompts/rendering/python-template.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { tokenizer } from "./engine-server.ts";

/** Counts what passes through the functions that a step's work consists of, in characters and bytes. */
function countWork() {
  const work = { rendered: 0, tokenised: 0, hashed: 0, parsed: 0, written: 0 };
  const prototype: Hash = Object.getPrototypeOf(crypto.createHash("sha256"));
  const { hash } = crypto;
  const { update } = prototype;
  const { parse, stringify } = JSON;
  const { render } = PythonTemplate.prototype;
  const { encode } = Tokenizer.prototype;
  const spies = [
    vi.spyOn(crypto, "hash").mockImplementation((algorithm, data, encoding) => {
      work.hashed += Buffer.byteLength(data);
      return hash(algorithm, data, encoding as "hex");
    }),
    vi.spyOn(prototype, "update").mockImplementation(function (this: Hash, data, encoding) {
      work.hashed += Buffer.byteLength(data);
      return update.call(this, data as string, encoding as "utf8");
    }),
    vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
      work.parsed += text.length;
      return parse(text, reviver);
    }),
    vi.spyOn(JSON, "stringify").mockImplementation((value, replacer, space) => {
      const text = stringify(value, replacer as null, space);
      work.written += text?.length ?? 0;
      return text;
    }),
    vi.spyOn(PythonTemplate.prototype, "render").mockImplementation(function (
      this: PythonTemplate,
      items,
    ) {
      const text = render.call(this, items);
      work.rendered += text.length;
      return text;
    }),
    vi.spyOn(Tokenizer.prototype, "encode").mockImplementation(function (
      this: Tokenizer,
      text: string,
      ...options: unknown[]
    ) {
      work.tokenised += text.length;
      return encode.call(this, text, ...(options as []));
    } as Tokenizer["encode"]),
  ];
  syncBuiltinESMExports();
  return {
    work,
    stop: () => {
      for (const spy of spies) spy.mockRestore();
      syncBuiltinESMExports();
    },
  };
}

/** What a session's last step leaves: its row as it is stored and as followers get it, and its line in the log. */
async function keptOf(gateway: TestGateway, session_id: string) {
  const { id, stored } = gateway.database((database) =>
    database
      .prepare<[string], { id: number; stored: number }>(
        `select id, length(meta_json) + length(coalesce(request, '')) + length(messages) + length(response) as stored
        from stored_steps where session_id = ? order by id desc limit 1`,
      )
      .get(session_id),
  ) ?? { id: 0, stored: 0 };
  const path = `/v1/sessions/${session_id}/rows?after=${id - 1}&payload=true`;
  const followed = (await (await fetch(gateway.url + path)).text()).length;
  const lines = (): string[] => readFileSync(gateway.requestLogPath, "utf8").trim().split("\n");
  const { request_id } = gateway.steps(session_id).at(-1) ?? {};
  await expect.poll(() => lines().at(-1), { timeout: 30_000 }).toContain(request_id);
  return { stored, followed, logged: lines().at(-1)?.length ?? 0 };
}

/** An engine that parses nothing, and repeats the prompt's ids. */
async function answerEcho(request: { readonly body: Buffer }, reply: Reply): Promise<void> {
  const { body } = request;
  const member = '"prompt_token_ids":[';
  const start = body.lastIndexOf(member);
  const echo = body.subarray(start, body.indexOf("]", start) + 1);
  const head = '{"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[';
  const logprobs = '"logprobs":{"content":[{"token":"","logprob":-1,"top_logprobs":[]}]}';
  const said = `{"index":0,"delta":{"content":"Done."},${logprobs},"finish_reason":null,"token_ids":[17]}`;
  const ended = `{"index":0,"delta":{},${logprobs},"finish_reason":"stop","token_ids":[151645]}`;
  await reply.startEvents();
  await reply.write(`data: ${head}${said}],${echo}}\n\n`);
  await reply.write(`data: ${head}${ended}]}\n\ndata: [DONE]\n\n`);
  await reply.end();
}

const apis = ["chat_completions", "messages", "responses", "generate_content"] as const;
const sampling = {
  ...{ temperature: null, top_p: null, top_k: null, min_p: null, repetition_penalty: null },
  ...{ frequency_penalty: null, presence_penalty: null, seed: null, max_tokens: 9, n: null },
  top_logprobs: null,
};

test("a step's work is that for its new messages, however long its history is", async () => {
  await using engine = await startFaultyUpstream(answerEcho);
  await using gateway = await startGateway({
    llm_routes: {
      policy: {
        base_url: engine.url,
        engine: "vllm",
        tokenizer,
        // Its members are written once, and looked for among no ids.
        extra_body: { top_k: 20 },
      },
    },
  });
  for (const name of apis) {
    const endpoint = endpointsByName[name];
    const bodyOf = (words: number, steps: number): string => {
      const parts = (text: string) => [{ kind: "text" as const, text }];
      const history = [{ role: "user", parts: parts("word ".repeat(words)) }];
      for (let step = 0; step < steps; step += 1)
        history.push(
          { role: "assistant", parts: parts("Done.") },
          { role: "user", parts: parts(`And part ${step}?`) },
        );
      const written = endpoint.writeRequest?.({
        model: "policy",
        messages: history,
        tools: [{ name: "press", description: null, parameters: { type: "object" }, strict: null }],
        ...{ tool_choice: "auto", parallel_tool_calls: null, sampling, stop: [] },
        ...{ format: { kind: "text" }, reasoning_effort: null, stream: false, stream_usage: false },
      });
      return JSON.stringify(written?.body);
    };
    const workOf = async (words: number) => {
      const session = `${name}-${words}`;
      const path = `/v1/sessions/${session}${requestPath(endpoint, { model: "policy", stream: false })}`;
      const ask = async (steps: number): Promise<void> => {
        const body = bodyOf(words, steps);
        const counted = countWork();
        try {
          expect(await (await gateway.post(path, body)).text()).toContain("Done.");
        } finally {
          counted.stop();
        }
        work = counted.work;
      };
      let work = { rendered: 0, tokenised: 0, hashed: 0, parsed: 0, written: 0 };
      for (let steps = 0; steps < 3; steps += 1) await ask(steps);
      const kept = await keptOf(gateway, session);
      const made = gateway
        .steps(session)
        .map(({ response }) => JSON.parse(response ?? "").engine.made);
      expect(made).toEqual(["rendered", "continued", "continued"]);
      return { ...work, ...kept };
    };
    // Longer than what the request log keeps of a body.
    const short = await workOf(4_000);
    const long = await workOf(name === "chat_completions" ? 100_000 : 20_000);
    for (const [kind, amount] of Object.entries(short)) {
      expect(amount, `${name}: ${kind}`).toBeGreaterThan(0);
      // A length has more digits.
      expect(Math.abs(long[kind as keyof typeof long] - amount), `${name}: ${kind}`).toBeLessThan(
        50,
      );
    }
  }
});
