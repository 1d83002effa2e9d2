import { randomUUID } from "node:crypto";
import { startDemoUpstream } from "@proj/demo-upstream";
import type { SimulationStartRequest } from "@proj/gateway-protocol";
import { type JobStore, openJobStore } from "@proj/session-store";
import {
  createGatewayClient,
  functionEvaluator,
  functionRuntime,
  type GivenResult,
  SimulationManager,
} from "../../src/index.ts";
import { startGateway } from "../start-gateway.ts";
import { storageOf } from "../temporary-storage.ts";

/** A job that ran through a gateway, with a model that reports token ids. */
export interface PlayedJob extends AsyncDisposable {
  readonly job_id: string;
  readonly store: JobStore;
  readonly gateway_url: string;
  /** How many simulations have, and how many not. */
  readonly finished: number;
  readonly failed: number;
}

export const system = { role: "system", content: "be brief" };
export const question = { role: "user", content: "What is 19 + 23?" };
const parameters = { type: "object", properties: { where: { type: "string" } } };
const look = { name: "look", description: "Looks around.", parameters };
export const further = { role: "user", content: "And 1 + 1?" };

/** What agents do, by their simulations. */
export type Agents = Readonly<Record<string, PlayedAgent>>;

export interface PlayedAgent {
  readonly group_id: string | null;
  readonly reward: number;
  /** It fails if this rejects. */
  play(ask: Ask): Promise<void>;
}

const grouped = { group_id: "maze", reward: 0.5 };
const alone = { group_id: null, reward: 0.5 };

/** The first two are a group. */
const mazeAgents: Agents = {
  "a-looks": { ...grouped, reward: 1, play: (ask) => lookAround(ask) },
  "b-forgets": {
    ...grouped,
    play: async (ask) => {
      await lookAround(ask);
      // Its history is shorter now: a second sequence of the same rollout.
      await ask("chat/completions", { messages: [system, further] });
    },
  },
  // Both APIs say no token ids, and have tools and results in forms of their own.
  "c-responds": {
    ...alone,
    play: async (ask) => {
      const tools = [{ type: "function", ...look }, { type: "web_search" }];
      const input: object[] = [question];
      for (let calls = 0; calls < 2; calls += 1) {
        const { output } = await ask("responses", { instructions: "be brief", input, tools });
        const [call] = output ?? [];
        input.push(call ?? {}, {
          type: "function_call_output",
          call_id: call?.call_id,
          output: "a",
        });
      }
      await ask("responses", { instructions: "be brief", input, tools, tool_choice: "none" });
    },
  },
  "d-messages": {
    ...alone,
    play: async (ask) => {
      const tools = [{ name: look.name, description: "Looks.", input_schema: parameters }];
      const body = { system: "be brief", max_tokens: 500, tools };
      const { content = [] } = await ask("messages", { ...body, messages: [question] });
      const result = { type: "tool_result", tool_use_id: content[0]?.id, content: "a door" };
      const answered = { role: "user", content: [result, { type: "text", text: "Go on." }] };
      const messages = [question, { role: "assistant", content }, answered];
      await ask("messages", { ...body, messages, tool_choice: { type: "none" } });
    },
  },
};

/** Asks the model as an agent does. */
export type Ask = (path: string, body: object) => Promise<Answer>;

interface Answer {
  readonly choices?: readonly { readonly message: Message }[];
  readonly output?: readonly { readonly call_id: string }[];
  readonly content?: readonly { readonly id: string }[];
  readonly candidates?: readonly { readonly content: Content }[];
}

/** What a model of Google's said. */
export interface Content {
  readonly parts: readonly { readonly functionCall?: { readonly name: string } }[];
}

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
}

/**
 * Calls a tool until the model has seen enough.
 * @param more members of each request
 */
export async function lookAround(ask: Ask, more: object = {}): Promise<void> {
  const messages: object[] = [system, question];
  for (;;) {
    const tools = [{ type: "function", function: look }];
    const { choices = [] } = await ask("chat/completions", { messages, tools, ...more });
    const { message } = choices[0] ?? {};
    const [call] = message?.tool_calls ?? [];
    if (message === undefined || call === undefined) return;
    messages.push(message, { role: "tool", tool_call_id: call.id, content: "a door" });
  }
}

/** @param routes with a `policy` that asks for token ids itself, in place of the demo's model */
export async function playJob(
  agents: Agents = mazeAgents,
  routes?: Readonly<Record<string, object>>,
): Promise<PlayedJob> {
  const upstream = await startDemoUpstream();
  const extra_body = { return_token_ids: true, logprobs: true };
  // Responses refuse what chat completions are asked for more than the agent does.
  const llm_routes = routes ?? {
    policy: {
      base_url: upstream.url,
      endpoints: ["chat_completions", "responses", "messages", "generate_content"],
    },
  };
  const server = await startGateway({ config: { llm_routes } });
  const gateway = createGatewayClient({ baseUrl: server.url });
  const store = await openJobStore(storageOf(server.db_url));
  const job_id = randomUUID();
  const play = async (request: SimulationStartRequest): Promise<GivenResult> => {
    const ask: Ask = async (path, body) => {
      const more = path === "chat/completions" && routes === undefined ? extra_body : {};
      const response = await fetch(`${request.llm_base_url}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: request.llm_model, ...body, ...more }),
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as Answer;
    };
    await agents[request.simulation_id]?.play(ask);
    return { status: "completed", metrics: { doors: 1 } };
  };
  const manager = new SimulationManager({
    ...{ store, gateway, job_id, llm_model: "policy" },
    runtime: functionRuntime(play),
    evaluator: functionEvaluator(({ simulation }) => agents[simulation.simulation_id]?.reward ?? 0),
  });
  await manager.add(
    Object.entries(agents).map(([simulation_id, { group_id }], index) => ({
      ...{ simulation_id, group_id, env_name: "maze" },
      env_params: JSON.stringify({ seed: index }),
    })),
  );
  const { finished, failed } = await manager.run();
  return {
    ...{ job_id, store, finished, failed },
    gateway_url: server.url,
    async [Symbol.asyncDispose]() {
      gateway.end();
      await store.close();
      await server.close();
      await upstream.close();
    },
  };
}
