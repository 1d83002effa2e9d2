import type { TestGateway } from "./start-gateway.ts";

const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = { type: "image_url", image_url: { url: pixel } };
const user = (content: unknown): object => ({ role: "user", content });
const system = (content: string): object => ({ role: "system", content });

/** What makes the gateway of a demo job take a call for a side call. */
export const titleRule = { name: "title", system: "title generator", tools: false };

/** An agent whose requests are answered by the gateway. */
export interface DemoAgent {
  readonly gateway: TestGateway;
  readonly session_id: string;
  /** Its number in the job, which is in its questions. */
  readonly index: number;
}

/** What a simulation's agent asks first; the question has an image. */
export const firstQuestion = (index: number): object[] => [
  user([{ type: "text", text: `What is ${index} + 1?` }, image]),
];

/** Sends a history. @returns the answer's message */
export async function ask(
  { gateway, session_id }: DemoAgent,
  model: string,
  messages: readonly object[],
  headers: Record<string, string> = {},
): Promise<object> {
  const path = `/v1/sessions/${session_id}/chat/completions`;
  const response = await gateway.post(path, { model, messages }, headers);
  const body = (await response.json()) as { choices?: readonly { message: object }[] };
  return body.choices?.[0]?.message ?? {};
}

/** Continues a history with the answer to it and a further question. */
async function goOn(agent: DemoAgent, history: readonly object[], more: string) {
  return [...history, await ask(agent, "demo", history), user(more)];
}

const next = ({ index }: DemoAgent, added: number): string => `What is ${index} + ${added}?`;

/** Asks twice; the second time at this route. */
export async function askTwice(agent: DemoAgent, model: string): Promise<void> {
  await ask(agent, model, await goOn(agent, firstQuestion(agent.index), next(agent, 2)));
}

/** Asks twice, and repeats what failed. */
export async function askAgain(agent: DemoAgent, model: string): Promise<void> {
  const second = await goOn(agent, firstQuestion(agent.index), next(agent, 2));
  for (const _attempt of [1, 2]) await ask(agent, model, second);
}

/**
 * Has a title made, calls a subagent that calls another one, has a third check it, and continues its second
 * step twice. The gateway keeps four histories of a session: by then it has forgotten the agent's own.
 */
export async function branchOut(agent: DemoAgent): Promise<void> {
  const begun = await goOn(agent, firstQuestion(agent.index), next(agent, 2));
  await ask(agent, "demo", [system("You are a title generator."), user("Sums")]);
  const explorer = { "x-gateway-agent": "agent-7f3a", "x-gateway-agent-kind": "explore" };
  const look = [system("You look for things."), user("What is 20 + 1?")];
  const found = await ask(agent, "demo", look, explorer);
  await ask(agent, "demo", [system("You read one file."), user("What is 30 + 1?")], {
    ...{ "x-gateway-agent": "agent-91c0", "x-gateway-agent-kind": "read" },
    "x-gateway-agent-parent": "agent-7f3a",
  });
  await ask(agent, "demo", [...look, found, user("What is 20 + 2?")], explorer);
  await ask(agent, "demo", [system("You check sums."), user("What is 40 + 1?")], {
    ...{ "x-gateway-agent": "agent-c0de", "x-gateway-agent-kind": "check" },
  });
  const asked = await goOn(agent, begun, next(agent, 3));
  await ask(agent, "demo", asked);
  await ask(agent, "demo", [...asked.slice(0, -1), user(next(agent, 4))]);
}

/** Continues another session from its first step, whose answer comes from the record. */
export async function forkFrom(agent: DemoAgent, from: string, index: number): Promise<void> {
  const { gateway, session_id } = agent;
  await gateway.post(`/v1/sessions/${session_id}/fork`, { from, step: 1 });
  await ask(agent, "demo", await goOn(agent, firstQuestion(index), next(agent, 2)));
}
