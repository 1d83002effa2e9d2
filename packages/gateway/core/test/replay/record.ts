import type { ErrorBody, StepBody } from "@proj/gateway-protocol";
import { chatCompletion, type RecordedRequest, type Reply } from "@proj/test-kit";
import type { TestGateway } from "../start-gateway.ts";

/** An upstream that never answers the same twice: a repeated answer did not come from it. */
export function countingUpstream(): (request: RecordedRequest, reply: Reply) => void {
  let answers = 0;
  return (_request, reply) => {
    answers += 1;
    void reply.json(chatCompletion({ content: `answer ${answers}` }));
  };
}

export interface Said {
  readonly status: number;
  /** The model's text, or the error's code. */
  readonly text: string;
  readonly message: string;
}

type Members = Readonly<Record<string, unknown>>;

/** An agent that continues a conversation: its next request contains the answers so far. */
export class ChatAgent {
  readonly #gateway: TestGateway;
  readonly #session_id: string;
  readonly #members: Members;
  readonly messages: Members[] = [];

  constructor(gateway: TestGateway, session_id: string, members: Members = {}) {
    this.#gateway = gateway;
    this.#session_id = session_id;
    this.#members = members;
  }

  async say(content: string): Promise<Said> {
    this.messages.push({ role: "user", content });
    const said = await ask(this.#gateway, this.#session_id, this.messages, this.#members);
    if (said.status === 200) this.messages.push({ role: "assistant", content: said.text });
    return said;
  }

  /** Sends one message after the other, and returns the answers. */
  async sayAll(...contents: readonly string[]): Promise<string[]> {
    const heard = [];
    for (const content of contents) heard.push((await this.say(content)).text);
    return heard;
  }
}

export async function ask(
  gateway: TestGateway,
  session_id: string,
  messages: readonly Members[],
  members: Members = {},
): Promise<Said> {
  const path = `/v1/sessions/${session_id}/chat/completions`;
  const answer = await gateway.post(path, { model: "policy", messages, ...members });
  const body = (await answer.json()) as Partial<ErrorBody> & {
    choices?: readonly { message: { content: string } }[];
  };
  const { status } = answer;
  const text = body.choices?.[0]?.message.content ?? body.error?.code ?? "";
  return { status, text, message: body.error?.message ?? "" };
}

/** `POST {session}/fork` */
export async function fork(
  gateway: TestGateway,
  session_id: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly body: Members & Partial<ErrorBody> }> {
  const answer = await gateway.post(`/v1/sessions/${session_id}/fork`, body, headers);
  return { status: answer.status, body: (await answer.json()) as Members };
}

/** A session's rows, over HTTP. */
export async function stepsOf(
  gateway: TestGateway,
  session_id: string,
): Promise<readonly (StepBody & { readonly meta: Record<string, unknown> })[]> {
  const answer = await fetch(`${gateway.sessionUrl(session_id)}/steps?limit=1000`);
  const { steps } = (await answer.json()) as { readonly steps: readonly StepBody[] };
  return steps.map((step) => ({ ...step, meta: JSON.parse(step.meta_json) }));
}

/** The numbers of a session's steps, each with the number of the step that answered it. */
export const replayedSteps = async (
  gateway: TestGateway,
  session_id: string,
): Promise<readonly (readonly [number, unknown])[]> =>
  (await stepsOf(gateway, session_id)).map(({ step_id, meta }) => [
    step_id,
    (meta.replayed_from as { step_id?: number } | undefined)?.step_id ?? null,
  ]);
