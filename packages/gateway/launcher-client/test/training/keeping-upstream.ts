import { messageObject, responseObject, startFaultyUpstream } from "@proj/test-kit";

type Json = Readonly<Record<string, unknown>>;

export interface KeepingUpstream extends AsyncDisposable {
  readonly url: string;
  /** What it was sent, in order. */
  readonly bodies: readonly Json[];
}

/**
 * A model that answers by the last message alone: a text of the user's with a call of a tool, a result with a text. So it
 * needs no history, and says the same whether it is sent one or is to have kept it.
 */
export async function startKeepingUpstream(): Promise<KeepingUpstream> {
  let made = 0;
  const bodies: Json[] = [];
  const upstream = await startFaultyUpstream(async (request, reply) => {
    const body: Json = JSON.parse(request.body.toString() || "{}");
    made += 1;
    if (request.path.endsWith("/conversations"))
      return void (await reply.json({ id: `conv_${made}`, object: "conversation", created_at: 1 }));
    bodies.push(body);
    const isMessages = request.path.includes("/messages");
    const input = isMessages ? body.messages : body.input;
    const last: Json = Array.isArray(input) ? (input.at(-1) ?? {}) : { content: input };
    const answer = isMessages ? message(last, made) : response(last, made);
    return void (await reply.json(answer));
  });
  return { url: upstream.url, bodies, [Symbol.asyncDispose]: () => upstream.close() };
}

const saysMore = (last: Json): boolean => JSON.stringify(last).includes("look");

function response(last: Json, made: number): object {
  const isCall = last.type !== "function_call_output" && saysMore(last);
  const function_calls = [{ name: "look", arguments: '{"where":"up"}' }];
  return responseObject({
    id: `resp_${made}`,
    ...(isCall
      ? { function_calls }
      : { text: `seen ${JSON.stringify(last.output ?? last.content)}` }),
  });
}

function message(last: Json, made: number): object {
  const [first] = Array.isArray(last.content) ? last.content : [];
  const isResult = first?.type === "tool_result";
  const said = isResult ? first.content : last.content;
  const content =
    !isResult && saysMore(last)
      ? [{ type: "tool_use" as const, id: "call_1", name: "look", input: { where: "up" } }]
      : [{ type: "text" as const, text: `seen ${JSON.stringify(said)}`, citations: null }];
  return { ...messageObject({ content }), id: `msg_${made}` };
}
