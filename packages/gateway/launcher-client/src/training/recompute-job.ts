import {
  type EngineLogprobsBody,
  gatewayPaths,
  type UpstreamLogprobs,
} from "@proj/gateway-protocol";
import { ApiError, createHttpClient, type HttpClient } from "@proj/http-client";
import { isJsonObject } from "@proj/model-apis/json";
import type { Sequence } from "@proj/sequences";
import type { JobStore } from "@proj/session-store";
import { endedEnvironments } from "./export-rollouts.ts";
import { type RolloutOptions, readRollout } from "./rollout.ts";

export interface RecomputeOptions extends RolloutOptions {
  /** The gateway's base URL. */
  readonly baseUrl: string;
  /** @default none */
  readonly apiKey?: string | null | undefined;
  /** The route whose engines are asked, all of them: vLLM or SGLang. */
  readonly route: string;
  /** For one sequence, in milliseconds. @default 600_000 */
  readonly timeoutMs?: number | undefined;
}

/** How far recorded log probabilities are from those that an engine computes of the same tokens now. */
export interface Recomputation {
  readonly sequences: number;
  /** Trained tokens that were compared, each with every engine. */
  readonly tokens: number;
  /** Sequences whose engine reported no log probabilities. */
  readonly without_logprobs: number;
  readonly max_difference: number;
  /** 0 if nothing was compared. */
  readonly mean_difference: number;
  /** Where the largest difference is; null if nothing was compared. */
  readonly largest_at: DifferentToken | null;
}

export interface DifferentToken {
  readonly session_id: string;
  readonly simulation_id: string;
  readonly step: string;
  /** The engine that says something else. */
  readonly upstream: string;
  /** Its position in the sequence. */
  readonly at: number;
  readonly id: number;
  readonly recorded: number;
  readonly recomputed: number;
}

/** An engine does not say the log probabilities of a prompt; the message says why. */
export class RecomputeError extends Error {
  override readonly name = "RecomputeError";
}

/** A prompt of a hundred thousand tokens. */
const maxResponseBytes = 256 * 1024 * 1024;

/**
 * Has the engines behind a route compute the log probabilities of everything that a job's export trains on, one sequence
 * at a time, and compares them with those recorded when it was sampled. They are equal if the weights are, and sampling
 * did not change them (temperature 1, no top-p, no bias).
 * @throws RecomputeError; StoreUnavailableError; an HttpError of the gateway; the signal's reason
 */
export async function recomputeJob(
  store: Pick<JobStore, "readJobs" | "readEnvironments" | "readSteps">,
  job_id: string | undefined,
  { baseUrl, apiKey = null, route, timeoutMs = 600_000, ...options }: RecomputeOptions,
): Promise<Recomputation> {
  const headers = apiKey === null ? undefined : { authorization: `Bearer ${apiKey}` };
  using client = createHttpClient({ baseUrl, headers, timeoutMs, maxResponseBytes });
  const totals = { sequences: 0, tokens: 0, without_logprobs: 0 };
  let [sum, max_difference] = [0, 0];
  let largest_at: DifferentToken | null = null;
  for await (const environment of endedEnvironments(store, job_id, {})) {
    const { session_id, simulation_id } = environment;
    const rollout = await readRollout(store, environment, options);
    for (const sequence of rollout.sequences) {
      if (!sequence.loss_mask.includes(1)) continue;
      totals.sequences += 1;
      if (sequence.logprobs === null) {
        totals.without_logprobs += 1;
        continue;
      }
      const asked = await askEngines(client, route, sequence.input_ids, options.signal);
      for (const { upstream, logprobs } of asked) {
        for (const [at, id] of sequence.input_ids.entries()) {
          if (sequence.loss_mask[at] !== 1) continue;
          const recorded = sequence.logprobs[at] ?? 0;
          const recomputed = logprobs[at] ?? Number.NaN;
          const difference = Math.abs(recorded - recomputed);
          totals.tokens += 1;
          sum += difference;
          if (largest_at !== null && difference <= max_difference) continue;
          max_difference = difference;
          const step = stepAt(sequence, at);
          largest_at = { session_id, simulation_id, step, upstream, at, id, recorded, recomputed };
        }
      }
    }
  }
  const mean_difference = totals.tokens === 0 ? 0 : sum / totals.tokens;
  return { ...totals, max_difference, mean_difference, largest_at };
}

const stepAt = ({ spans }: Sequence, at: number): string =>
  spans.find(({ end }) => at < end)?.step ?? "";

/** @throws RecomputeError */
async function askEngines(
  client: HttpClient,
  route: string,
  ids: Int32Array,
  signal: AbortSignal | undefined,
): Promise<readonly UpstreamLogprobs[]> {
  const json = { token_ids: Array.from(ids) };
  try {
    const { body } = await client.request("POST", gatewayPaths().engineLogprobs(route), {
      json,
      signal,
    });
    if (isLogprobs(body, ids.length)) return body.upstreams;
  } catch (error) {
    if (error instanceof ApiError)
      throw new RecomputeError(
        `route '${route}' answered status ${error.status}: ${error.message}`,
      );
    throw error;
  }
  throw new RecomputeError(`the gateway says no log probabilities of route '${route}'`);
}

function isLogprobs(body: unknown, length: number): body is EngineLogprobsBody {
  const list: unknown = isJsonObject(body) ? body.upstreams : null;
  return (
    Array.isArray(list) &&
    list.every(
      (each: unknown) =>
        isJsonObject(each) && Array.isArray(each.logprobs) && each.logprobs.length === length,
    )
  );
}
