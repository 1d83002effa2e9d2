import type { RouteConfig, UpstreamLogprobs } from "@proj/gateway-protocol";
import { endpointsByName } from "@proj/model-apis";
import { type JsonObject, listOf, objectOf } from "@proj/model-apis/json";
import { GatewayError } from "../errors/gateway-error.ts";
import { type LiveReply, LiveUpstream } from "../upstream/live-upstream.ts";

/** A prompt of a hundred thousand tokens, on a processor. */
const timeoutMs = 600_000;

/**
 * Asks each server of a route how likely it finds each of these tokens. A route without `engine` is asked as vLLM is.
 * @throws GatewayError upstream_unreachable; upstream_invalid_response: a server does not say it
 */
export function askLogprobs(
  model: string,
  route: RouteConfig,
  token_ids: readonly number[],
  signal: AbortSignal,
): Promise<UpstreamLogprobs[]> {
  const isSglang = route.engine === "sglang";
  return Promise.all(
    route.base_urls.map(async (baseUrl) => {
      const { completions } = endpointsByName;
      const upstream = new LiveUpstream(baseUrl, route, completions, { signal, timeoutMs });
      const asking = isSglang
        ? upstream.askServer("/generate", {
            input_ids: token_ids,
            sampling_params: { max_new_tokens: 0, temperature: 1, top_p: 1 },
            return_logprob: true,
            logprob_start_len: 0,
          })
        : upstream.ask("/completions", {
            model: route.upstream_model ?? model,
            ...{ prompt: token_ids, max_tokens: 1, prompt_logprobs: 0 },
          });
      const reply = await asking.catch((cause: unknown) => {
        const message = `The engine of route '${model}' at ${upstream.name} cannot be reached.`;
        throw new GatewayError("upstream_unreachable", message, { cause });
      });
      const logprobs = (isSglang ? ofSglang : ofVllm)(objectOf(reply.body), token_ids);
      if (reply.status !== 200 || logprobs === null) throw silent(model, upstream, reply);
      return { upstream: upstream.name, logprobs };
    }),
  );
}

function silent(model: string, upstream: LiveUpstream, reply: LiveReply): GatewayError {
  const { status } = reply;
  const why = status === 200 ? "" : ` It answers ${status}${upstream.said(reply)}`;
  return new GatewayError(
    "upstream_invalid_response",
    `The engine of route '${model}' at ${upstream.name} does not say the log probabilities of a prompt: vLLM and SGLang do.${why}`,
    { retryable: false },
  );
}

type Logprobs = readonly (number | null)[] | null;

/** For each token of the prompt an object by the token's id, and null for the first. */
function ofVllm({ choices }: JsonObject, ids: readonly number[]): Logprobs {
  const { prompt_logprobs } = objectOf(listOf(choices)[0]);
  return logprobsOf(listOf(prompt_logprobs), ids, (token, id) =>
    numberOrNull(objectOf(objectOf(token)[String(id)]).logprob),
  );
}

/** For each token of the prompt `[logprob, id, text]`, with null as the first's log probability. */
function ofSglang({ meta_info }: JsonObject, ids: readonly number[]): Logprobs {
  const { input_token_logprobs } = objectOf(meta_info);
  return logprobsOf(listOf(input_token_logprobs), ids, (token, id) => {
    const [logprob, of] = listOf(token);
    return of === id ? numberOrNull(logprob) : null;
  });
}

/** Null: one is missing. */
function logprobsOf(
  tokens: readonly unknown[],
  ids: readonly number[],
  read: (token: unknown, id: number) => number | null,
): Logprobs {
  if (tokens.length !== ids.length) return null;
  const found = ids.map((id, at) => (at === 0 ? null : read(tokens[at], id)));
  return found.slice(1).includes(null) ? null : found;
}

const numberOrNull = (value: unknown): number | null => (typeof value === "number" ? value : null);
