import { type EndpointName, noTokens, readAsked } from "@proj/model-apis";
import type { ModelAnswer, StreamOptions, UtterancePart } from "@proj/model-apis/conversation";
import { type JsonObject, objectsOf } from "@proj/model-apis/json";
import type { Completion } from "./model.ts";
import type { Prompt } from "./prompt.ts";
import {
  callTokens,
  thinkingTokens,
  tokenId,
  tokenize,
  tokenizePrompt,
  tokenLogprob,
} from "./tokens.ts";

/** One request and the model's completions: everything an answer is written from. */
export interface Exchange {
  readonly body: JsonObject;
  readonly prompt: Prompt;
  readonly completions: readonly [Completion, ...Completion[]];
  /** Equal for equal bodies; every id in the answer is made from it. */
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
}

/** What the model says, in no API's form. */
export function modelAnswer({ prompt, completions, id, created }: Exchange): ModelAnswer {
  const completion_tokens = completions.flatMap(writtenTokens).length;
  const [first, ...others] = completions;
  const choice = (completion: Completion): ModelAnswer["choices"][number] => ({
    parts: partsOf(completion),
    finish: completion.finish,
  });
  return {
    ...{ id, created, model: prompt.model },
    choices: [choice(first), ...others.map(choice)],
    usage: { ...noTokens, prompt_tokens: tokenizePrompt(prompt).length, completion_tokens },
  };
}

function partsOf({ thinking, tokens, tool }: Completion): UtterancePart[] {
  const text = tokens.join("");
  const said: UtterancePart =
    tool === null
      ? { kind: "text", text }
      : { kind: "tool_call", call_id: null, name: tool, arguments: text };
  return thinking === "" ? [said] : [{ kind: "reasoning", text: thinking }, said];
}

/** Everything the model wrote, exactly as written. */
function writtenTokens({ thinking, tokens, tool }: Completion): readonly string[] {
  const call = tool === null ? [] : callTokens({ name: tool, arguments: "" });
  return [...thinkingTokens(thinking), ...call, ...tokens];
}

/** One token for each event; the marks around thinking and tool calls are tokens without text. */
export const streamOptions = ({ body, completions }: Exchange): StreamOptions => ({
  cut: tokenize,
  tokens: completions.map(writtenTokens),
  usage: readAsked(body).usage,
});

/** What an answer says of its tokens, in the APIs that can be asked for it. */
export const tellTokens: {
  readonly [Name in EndpointName]?: (answer: JsonObject, exchange: Exchange) => JsonObject;
} = {
  chat_completions(answer, exchange) {
    const { prompt, body, completions } = exchange;
    const withIds = body.return_token_ids === true;
    const choices = objectsOf(answer.choices).map((choice, index) => {
      const tokens = completions[index] === undefined ? [] : writtenTokens(completions[index]);
      // OpenAI gives no log probabilities for tool calls; vLLM, which also gives token ids, does.
      const isTold = withIds || completions[index]?.tool === null;
      const content = isTold ? logprobs(prompt, tokens) : null;
      return {
        ...choice,
        logprobs: content === null ? null : { content, refusal: null },
        ...(withIds ? { token_ids: tokens.map(tokenId) } : {}),
      };
    });
    const prompt_token_ids = tokenizePrompt(prompt).map(tokenId);
    return {
      ...{ ...answer, choices, ...weightVersions(exchange) },
      ...(withIds ? { prompt_token_ids } : {}),
    };
  },
  responses({ output, ...answer }, { prompt, completions: [{ tokens }] }) {
    const told = logprobs(prompt, tokens);
    const items = objectsOf(output).map((item) => {
      const content = objectsOf(item.content).map((part) => ({ ...part, logprobs: told }));
      return item.type === "message" ? { ...item, content } : item;
    });
    return { ...answer, output: told === null ? output : items };
  },
};

const logprobs = ({ topLogprobs }: Prompt, tokens: readonly string[]): JsonObject[] | null =>
  topLogprobs === null ? null : tokens.map((token) => tokenLogprob(token, topLogprobs));

/** Which weights wrote which tokens, in SGLang's form for weights that changed during an answer. */
function weightVersions({ prompt, completions: [first] }: Exchange): JsonObject {
  const { weight_versions: versions } = prompt.toys;
  if (versions.length === 0) return {};
  const { length } = writtenTokens(first);
  const bound = (part: number): number => Math.round((part * length) / versions.length);
  const spans = versions.map((version, part) => ({
    ...{ version, start: bound(part), end: bound(part + 1) },
  }));
  return { metadata: { weight_versions: spans } };
}
