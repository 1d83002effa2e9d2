import { afterAll, beforeAll } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { type EngineServer, startEngine, tokenizer } from "./engine-server.ts";

export type Api = "chat" | "messages" | "responses" | "content";
export type Members = Readonly<Record<string, unknown>>;

export const say = (content: unknown): readonly Members[] => [{ role: "user", content }];
export const hi: readonly Members[] = say("Hi.");
export const apis: Readonly<Record<Api, { readonly path: string; readonly base: Members }>> = {
  chat: { path: "chat/completions", base: { model: "policy", messages: hi } },
  messages: { path: "messages", base: { model: "policy", max_tokens: 9, messages: hi } },
  responses: { path: "responses", base: { model: "policy", input: hi } },
  content: {
    path: "models/policy:generateContent",
    base: { contents: [{ role: "user", parts: [{ text: "Hi." }] }] },
  },
};

interface Asked {
  readonly status: number;
  readonly text: string;
  /** What the engine got; null: nothing. */
  readonly sent: Members | null;
  readonly ignored: readonly string[];
  /** The status in its row; undefined: it has none. */
  readonly recorded: number | undefined;
}

interface Asking {
  engine(): EngineServer;
  /** Asks in a session of its own. */
  ask(api: Api, members: Members): Promise<Asked>;
}

/** A gateway before an engine, for all tests of a file. */
export function startAsking(): Asking {
  let engine: EngineServer;
  let gateway: TestGateway;
  beforeAll(async () => {
    engine = await startEngine([]);
    gateway = await startGateway({
      llm_routes: { policy: { base_url: engine.url, engine: "vllm", tokenizer } },
    });
  });
  afterAll(async () => {
    await gateway.close();
    await engine[Symbol.asyncDispose]();
  });
  let asked = 0;
  return {
    engine: () => engine,
    ask: async (api, members) => {
      const { path, base } = apis[api];
      const session = `s${asked++}`;
      const before = engine.requests.length;
      const body = { ...base, ...members };
      const answer = await gateway.post(`/v1/sessions/${session}/${path}`, body);
      const text = await answer.text();
      const sent =
        engine.requests.length === before ? null : engine.requests.at(-1)?.body.toString();
      const [row] = gateway.steps(session);
      const { ignored = [] } = JSON.parse(row?.response ?? "{}").engine ?? {};
      const recorded = row?.status_code;
      return { status: answer.status, text, sent: JSON.parse(sent ?? "null"), ignored, recorded };
    },
  };
}
