import { type FaultyUpstream, startFaultyUpstream } from "../upstream/faulty-upstream.ts";
import type { RecordedRequest } from "../upstream/recorded-request.ts";
import type { Reply } from "../upstream/reply.ts";
import { qwen3Folder, Vocabulary } from "./vocabulary.ts";

/** What the engine was asked. */
export interface EngineQuestion {
  /** The prompt as the model reads it. */
  readonly text: string;
  /** The names of the tools that it may call. */
  readonly tools: readonly string[];
  readonly request: RecordedRequest;
}

/** What the model is to say. */
export interface EngineSaying {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: object }[];
  /** How many tokens the engine reports for the prompt. @default its length */
  readonly prompt_tokens?: number;
}

export interface SamplingEngineOptions {
  /** @default `vllm` */
  readonly engine?: "vllm" | "sglang";
  /** Called with all that an answer will be sampled in, before its first piece leaves. */
  readonly onAnswer?: (answer: SampledAnswer) => void;
  /** Called before each piece of an answer. Resolves with false to give the answer up. */
  readonly beforePiece?: (
    piece: number,
    question: EngineQuestion,
    reply: Reply,
  ) => Promise<boolean>;
}

/** An answer in the engine's own ids. */
export interface SampledAnswer {
  readonly saying: EngineSaying;
  readonly prompt_ids: readonly number[];
  readonly token_ids: readonly number[];
}

/** A token that ends a turn of Qwen3. */
const turnEnd = "<|im_end|>";

/**
 * An engine with Qwen3's vocabulary that says what it is told, in tokens as a model might sample them: the same text
 * rendered again has others.
 */
export function startSamplingEngine(
  say: (question: EngineQuestion) => EngineSaying,
  { engine = "vllm", beforePiece = async () => true, onAnswer }: SamplingEngineOptions = {},
): Promise<FaultyUpstream> {
  const vocabulary = new Vocabulary(qwen3Folder);
  return startFaultyUpstream(async (request, reply) => {
    const body = JSON.parse(request.body.toString() || "{}");
    const ids: number[] | undefined =
      engine === "vllm" ? body.kv_transfer_params?.prompt_token_ids : body.input_ids;
    if (ids === undefined)
      return void reply.json({ error: { message: "no prompt ids" } }, { status: 400 });
    const tools = (body.tools ?? []).map(
      (tool: { function: { name: string } }) => tool.function.name,
    );
    const question: EngineQuestion = { text: vocabulary.decode(ids), tools, request };
    const saying = say(question);
    const pieces = piecesOf(saying, vocabulary);
    const output_ids = pieces.flatMap((piece) => piece.ids);
    onAnswer?.({ saying, prompt_ids: ids, token_ids: output_ids });
    await reply.startEvents();
    for (const [at, { delta, ids: sampled }] of pieces.entries()) {
      if (!(await beforePiece(at, question, reply))) return;
      const finish_reason =
        at < pieces.length - 1 ? null : (saying.calls?.length ?? 0) > 0 ? "tool_calls" : "stop";
      const content = sampled.map((id) => ({
        token: "",
        logprob: logprobOf(id),
        top_logprobs: [],
      }));
      const choice = { index: 0, delta, logprobs: { content }, finish_reason };
      const told =
        engine === "vllm"
          ? {
              choices: [{ ...choice, token_ids: sampled }],
              ...(at === 0 ? { prompt_token_ids: ids } : {}),
            }
          : { choices: [choice] };
      if (!(await event(reply, told))) return;
    }
    if (engine === "sglang")
      await event(reply, { choices: [], sglext: { input_ids: ids, output_ids: [output_ids] } });
    const prompt_tokens = saying.prompt_tokens ?? ids.length;
    const completion_tokens = output_ids.length;
    const usage = {
      prompt_tokens,
      completion_tokens,
      total_tokens: prompt_tokens + completion_tokens,
    };
    await event(reply, { choices: [], usage });
    await reply.write("data: [DONE]\n\n");
    await reply.end();
  });
}

/** The log probability that the engine reports for a token: known to tests, and different for each. */
export const logprobOf = (id: number): number => -id / 1_000_000;

const event = (reply: Reply, members: object): Promise<boolean> =>
  reply.write(
    `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "policy", ...members })}\n\n`,
  );

interface Piece {
  readonly delta: object;
  readonly ids: readonly number[];
}

/** As an engine's parsers split it: tags belong to no delta's text, but their tokens to some delta. */
function piecesOf(
  { reasoning = "", text = "", calls = [] }: EngineSaying,
  vocabulary: Vocabulary,
): readonly Piece[] {
  const silent = (tags: string): Piece => ({ delta: {}, ids: vocabulary.encode(tags) });
  const texts = (name: string, said: string): Piece[] =>
    vocabulary.sample(said).map((piece) => ({ delta: { [name]: piece.text }, ids: piece.ids }));
  const thought =
    reasoning === ""
      ? []
      : [silent("<think>\n"), ...texts("reasoning", reasoning), silent("\n</think>\n\n")];
  const called = calls.flatMap(({ name, input }, index) => {
    const given = JSON.stringify(input);
    const id = `chatcmpl-tool-${index}`;
    return [
      silent(`${index > 0 || text !== "" ? "\n" : ""}<tool_call>\n`),
      {
        delta: { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] },
        ids: vocabulary.encode(`{"name": "${name}", "arguments": `),
      },
      ...vocabulary.sample(given).map((piece) => ({
        delta: { tool_calls: [{ index, function: { arguments: piece.text } }] },
        ids: piece.ids,
      })),
      silent("}\n</tool_call>"),
    ];
  });
  return [...thought, ...texts("content", text), ...called, silent(turnEnd)];
}
