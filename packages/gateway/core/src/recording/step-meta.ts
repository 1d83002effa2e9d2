import { createHash } from "node:crypto";
import type { TelemetryConfig } from "@proj/gateway-protocol";
import {
  type AnswerFacts,
  apiOf,
  asksNotToStore,
  type BilledApart,
  namedItem,
  type TokenCounts,
} from "@proj/model-apis";
import type { BoundCall } from "./bound-call.ts";

/** Whether a step's row keeps its payload. The decision for a step is the same in every run. */
export function keepsPayload(
  config: TelemetryConfig,
  session_id: string,
  model: string,
  step_id: number,
  status_code: number,
): boolean {
  switch (config.capture_payload) {
    case "full":
      return true;
    case "failed_only":
      return status_code !== 200;
    case "sampled":
      return sample(session_id, model, step_id) < config.payload_sample_rate;
    case "none":
      return false;
  }
}

/** Uniform over 0 (inclusive) to 1 (exclusive). */
function sample(session_id: string, model: string, step_id: number): number {
  const hash = createHash("sha256")
    .update(JSON.stringify([session_id, model, step_id]))
    .digest();
  return hash.readUInt32BE(0) / 2 ** 32;
}

/** The id by which a later request may name the answer; null: it cannot. */
export function keptAs(
  { endpoint, reference }: Pick<BoundCall, "endpoint" | "reference">,
  facts: AnswerFacts | null,
): string | null {
  return endpoint.keepsAnswers || reference !== null ? (facts?.object_id ?? null) : null;
}

/** False: the upstream was asked not to keep the answer; undefined: it was not. */
export const storeOf = ({
  endpoint,
  body,
}: Pick<BoundCall, "endpoint" | "body">): false | undefined =>
  endpoint.keepsAnswers && asksNotToStore(body) ? false : undefined;

/** What a row says about the row that it continues. */
export function continuationOf({
  reference,
  parent,
  served,
  endpoint,
  body,
}: Pick<BoundCall, "reference" | "parent" | "served" | "endpoint" | "body">): {
  readonly continues: object | undefined;
  readonly history: "partial" | "served" | undefined;
} {
  const isNamed = apiOf[endpoint.name] === "responses" && namedItem(body) !== null;
  if (reference === null || parent === null || reference.id === null)
    return { continues: undefined, history: isNamed ? "partial" : undefined };
  const { by, id } = reference;
  const sent = served === null ? undefined : "served";
  return {
    continues: { request_id: parent.request_id, by, id },
    history: parent.isPartial || isNamed ? "partial" : sent,
  };
}

interface UsageMeta {
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly cached_tokens: number | undefined;
  readonly cache_write_tokens: number | undefined;
  readonly reasoning_tokens: number | undefined;
  readonly billed: object | undefined;
  readonly cost_nano_usd: number | undefined;
}

/** Tokens and cost as `meta_json` has them; unknown parts are left out. */
export function usageMeta(tokens: TokenCounts, cost_nano_usd: number | null): UsageMeta {
  const { prompt_tokens, completion_tokens, billed } = tokens;
  return {
    prompt_tokens,
    completion_tokens,
    cached_tokens: tokens.cached_tokens ?? undefined,
    cache_write_tokens: tokens.cache_write_tokens ?? undefined,
    reasoning_tokens: tokens.reasoning_tokens ?? undefined,
    billed: billed === undefined ? undefined : filled(billed),
    cost_nano_usd: cost_nano_usd ?? undefined,
  };
}

/** Without its empty members. */
function filled(billed: BilledApart): object {
  const members = Object.entries(billed).filter(([, value]) => Object.keys(value).length > 0);
  return Object.fromEntries(members);
}
