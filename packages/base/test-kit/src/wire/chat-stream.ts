import type { ChatChoice, ChatCompletion } from "./chat-completion.ts";
import { cutText } from "./pieces.ts";

export interface ChatStreamOptions {
  /** Characters in each delta; content with log probabilities is split by token instead. @default 5 */
  readonly pieceLength?: number;
  /** Ends with the usage in a chunk without choices. @default true */
  readonly usage?: boolean;
  /** Ends with `[DONE]`. @default true */
  readonly done?: boolean;
  /** @default "\n" */
  readonly lineEnd?: "\n" | "\r\n" | "\r";
}

/** The events of a stream that adds up to the completion, one buffer each; choices take turns. */
export function chatStream(completion: ChatCompletion, options: ChatStreamOptions = {}): Buffer[] {
  const { pieceLength = 5, usage = true, done = true, lineEnd = "\n" } = options;
  const { id, created, model, choices } = completion;
  const head = { id, object: "chat.completion.chunk", created, model };
  const event = (data: string): Buffer => Buffer.from(`data: ${data}${lineEnd}${lineEnd}`);
  const chunk = (members: object): Buffer => event(JSON.stringify({ ...head, ...members }));

  const runs = choices.map((choice) => choiceRun(choice, pieceLength));
  const longest = Math.max(0, ...runs.map((run) => run.length));
  const events: Buffer[] = [];
  for (let turn = 0; turn < longest; turn++) {
    for (const run of runs) {
      const choice = run[turn];
      if (choice === undefined) continue;
      const ids = events.length === 0 ? completion.prompt_token_ids : undefined;
      events.push(chunk({ choices: [choice], ...(ids ? { prompt_token_ids: ids } : {}) }));
    }
  }
  if (usage) events.push(chunk({ choices: [], usage: completion.usage }));
  if (done) events.push(event("[DONE]"));
  return events;
}

/** One choice's part in each of its chunks. */
function choiceRun(choice: ChatChoice, pieceLength: number): object[] {
  const { index, message, logprobs, finish_reason, token_ids = [] } = choice;
  const part = (delta: object, more: object = {}): object => ({
    index,
    delta,
    logprobs: null,
    finish_reason: null,
    ...more,
  });
  const run = [part({ role: "assistant", content: message.content === null ? null : "" })];
  for (const reasoning_content of cutText(message.reasoning_content ?? "", pieceLength)) {
    run.push(part({ reasoning_content }));
  }
  const spoken = contentPieces(choice, pieceLength);
  for (const [at, content] of spoken.entries()) {
    const entry = logprobs?.content[at];
    const ids = token_ids.slice(at, at === spoken.length - 1 ? undefined : at + 1);
    run.push(
      part(
        { content },
        {
          ...(entry ? { logprobs: { content: [entry], refusal: null } } : {}),
          ...(ids.length > 0 ? { token_ids: ids } : {}),
        },
      ),
    );
  }
  for (const refusal of cutText(message.refusal ?? "", pieceLength)) run.push(part({ refusal }));
  for (const [at, call] of (message.tool_calls ?? []).entries()) {
    const opening = { index: at, ...call, function: { name: call.function.name, arguments: "" } };
    run.push(part({ tool_calls: [opening] }));
    for (const piece of cutText(call.function.arguments, pieceLength)) {
      run.push(part({ tool_calls: [{ index: at, function: { arguments: piece } }] }));
    }
  }
  const left = spoken.length === 0 && token_ids.length > 0 ? { token_ids } : {};
  run.push(part({}, { finish_reason, ...left }));
  return run;
}

function contentPieces({ message, logprobs }: ChatChoice, pieceLength: number): readonly string[] {
  if (logprobs !== null) return logprobs.content.map((entry) => entry.token);
  return cutText(message.content ?? "", pieceLength);
}
