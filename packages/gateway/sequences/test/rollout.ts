import { type Split, type Step, sequences } from "../src/index.ts";

const nothing: Omit<Step, "id" | "started_at" | "ended_at"> = {
  model: "policy",
  status_code: 200,
  prompt_ids: null,
  completion_ids: null,
  logprobs: null,
  versions: null,
  finish_reason: "stop",
  messages: null,
  answer: null,
  tools: null,
  response_id: null,
  previous_response_id: null,
  tool_call_ids: [],
  agent: null,
  request_kind: null,
  side_call: null,
  retry_of: null,
};

/** A step that ends a moment after it begins; `at` orders it among the others. */
export function stepAt(at: number, given: Partial<Step> = {}): Step {
  const completion_ids = given.completion_ids ?? null;
  const logprobs = completion_ids === null ? null : Array.from(completion_ids, logprobOf);
  return { ...nothing, id: `s${at}`, started_at: at, ended_at: at + 0.5, logprobs, ...given };
}

const logprobOf = (id: number): number => -id / 1000;

export interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly [member: string]: unknown;
}

const endOfTurn = 2;
const roles = new Map([
  ["system", 10],
  ["user", 11],
  ["assistant", 12],
  ["tool", 13],
]);

/** A toy template: a role's token, one token for each character, and the token that ends a turn. */
export function render(messages: readonly Message[]): number[] {
  return [
    ...messages.flatMap((message) => [roles.get(message.role) ?? 14, ...write(message), endOfTurn]),
    12,
  ];
}

export function write({ content, reasoning_content, tool_calls }: Message): number[] {
  const text = [reasoning_content, content, tool_calls].map((part) =>
    typeof part === "string" ? part : part === undefined ? "" : JSON.stringify(part),
  );
  return [...text.join("")].map((letter) => 100 + (letter.codePointAt(0) ?? 0));
}

/** A conversation with a model behind the toy template: each call is one step. */
export class Rollout {
  readonly steps: Step[] = [];

  call(messages: readonly Message[], answer: Message, given: Partial<Step> = {}): Step {
    const step = stepAt(this.steps.length + 1, {
      messages,
      answer: [answer],
      prompt_ids: render(messages),
      completion_ids: [...write(answer), endOfTurn],
      ...given,
    });
    this.steps.push(step);
    return step;
  }
}

/** Why the last step began its own sequence. */
export function splitOf({ steps }: Rollout, options = {}): Split | undefined {
  const last = steps.at(-1);
  return sequences(steps, options).sequences.find(({ split }) => split.step === last?.id)?.split;
}

export const system: Message = { role: "system", content: "be brief" };
export const user = (content: string): Message => ({ role: "user", content });
export const assistant = (content: string, given: object = {}): Message => ({
  role: "assistant",
  content,
  ...given,
});
export const opening: readonly Message[] = [system, user("add 2 and 2")];
export const four: Message = assistant("four");

export interface Asked extends Partial<Step> {
  readonly messages: readonly Message[];
}

/** Why the second of two calls did not continue the first. Its tokens differ from the start, unless given. */
export function splitBetween(first: Asked, second: Asked): Split | undefined {
  const rollout = new Rollout();
  rollout.call(first.messages, assistant("four"), first);
  const prompt_ids = [77, ...render(second.messages)];
  rollout.call(second.messages, assistant("seven"), { prompt_ids, ...second });
  return splitOf(rollout);
}
