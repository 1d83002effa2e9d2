/** Sends a body to a path below the session, and returns the answer's object. */
export type Ask = (path: string, body: object) => Promise<Answer>;

export interface Answer {
  readonly id: string;
  readonly output?: readonly { readonly call_id?: string }[];
  readonly content?: readonly { readonly id?: string }[];
}

const parameters = { type: "object", properties: { where: { type: "string" } } };
const look = { name: "look", description: "Looks around." };
const opening = { role: "user", content: "look around" };
const further = { role: "user", content: "and now?" };

/**
 * One task, by every form of a request: three turns with a tool, the first of which is continued twice. Forms of one API
 * say the same.
 */
export const styles: Readonly<Record<string, (ask: Ask) => Promise<void>>> = {
  "responses, whole": (ask) =>
    respond(ask, (_id, before, added) => ({ input: [...before, ...added] })),
  "responses, previous_response_id": (ask) =>
    respond(ask, (id, _before, added) => ({
      input: added,
      ...(id === null ? {} : { previous_response_id: id }),
    })),
  "messages, whole": (ask) =>
    message(ask, (_id, before, added) => ({ ...shown, messages: [...before, ...added] })),
  "messages, threads": (ask) =>
    message(ask, (id, _before, added) =>
      id === null
        ? { ...shown, messages: added, thread: { type: "create" } }
        : { messages: added, thread: { type: "continue", previous_message_id: id } },
    ),
};

/** One turn after another in a conversation that the upstream keeps. */
export async function converse(ask: Ask): Promise<void> {
  const { id } = await ask("conversations", {});
  await respond(ask, (_id, _before, added) => ({ input: added, conversation: id }), false);
}

type Body = (id: string | null, before: readonly object[], added: readonly object[]) => object;

async function respond(ask: Ask, body: Body, forks = true): Promise<void> {
  const tools = [{ type: "function", ...look, parameters, strict: false }];
  const turn = (...of: Parameters<Body>) =>
    ask("responses", { instructions: "be brief", tools, ...body(...of) });
  const first = await turn(null, [], [opening]);
  const call_id = first.output?.at(-1)?.call_id;
  const results = [{ type: "function_call_output", call_id, output: "a door" }];
  const seen = [opening, ...(first.output ?? [])];
  const second = await turn(first.id, seen, results);
  await turn(second.id, [...seen, ...results, ...(second.output ?? [])], [further]);
  if (forks) await turn(first.id, seen, [{ ...results[0], output: "a window" }]);
}

const shown = { system: "be brief", tools: [{ ...look, input_schema: parameters }] };

async function message(ask: Ask, body: Body): Promise<void> {
  const turn = (...of: Parameters<Body>) => ask("messages", { max_tokens: 99, ...body(...of) });
  const first = await turn(null, [], [opening]);
  const resultOf = (content: string) => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: first.content?.[0]?.id, content }],
  });
  const saying = ({ content }: Answer) => ({ role: "assistant", content });
  const seen = [opening, saying(first)];
  const second = await turn(first.id, seen, [resultOf("a door")]);
  await turn(second.id, [...seen, resultOf("a door"), saying(second)], [further]);
  await turn(first.id, seen, [resultOf("a window")]);
}
