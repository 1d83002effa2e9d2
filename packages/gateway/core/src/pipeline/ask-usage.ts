import type { GatewayConfig } from "@proj/gateway-protocol";
import { readStreamOptions } from "@proj/model-apis";
import { isJsonObject, type JsonObject, parseJson, stripMembers } from "@proj/model-apis/json";
import type { Answer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";
import type { BoundCall } from "../recording/bound-call.ts";
import type { Budgets } from "../session/session-budget.ts";
import { ChangedStream, type ChangeLine, changeData } from "./changed-body.ts";

/**
 * Where a budget counts tokens or money, asks for the usage of streams that would not tell it, and hides it from
 * callers, who did not ask.
 */
export function askUsage({
  max_tokens,
  max_cost_usd,
  max_capture_bytes,
}: Budgets & Pick<GatewayConfig, "max_capture_bytes">): Stage<BoundCall> {
  if (max_tokens < 0 && max_cost_usd === null) return (next) => next;
  return (next) => async (call) => {
    const options = optionsFor(call);
    if (options === null) return next(call);
    call.sent.stream_options = options;
    return withoutUsage(await next(call), max_capture_bytes);
  };
}

/** The options that also ask for usage; null if nothing has to be asked. */
function optionsFor({ body, endpoint, route: { config } }: Call): JsonObject | null {
  if (!body.stream || !endpoint.asksUsage || !config.stream_usage || config.engine !== null)
    return null;
  // What the operator sets wins, and callers see it.
  const own = Object.keys({ ...config.extra_body, ...config.extra_body_stream });
  if (own.some((name) => name.toLowerCase() === "stream_options")) return null;
  const options = readStreamOptions(body);
  return options.include_usage === true ? null : { ...options, include_usage: true };
}

function withoutUsage(answer: Answer, maxBytes: number): Answer {
  if (answer.upstream === null || answer.format !== "event_stream") return answer;
  return answer.through((body) => new ChangedStream(body, hideUsage(), maxBytes));
}

const nothing = Buffer.alloc(0);

/** Removes the chunk that only has usage, with the blank line after it, and the member from other chunks. */
function hideUsage(): ChangeLine {
  let hasDropped = false;
  return (line) => {
    const follows = hasDropped;
    hasDropped = false;
    if (follows && line.toString("latin1").trim() === "") return nothing;
    return changeData(line, (data) => {
      if (!data.includes('"usage"')) return data;
      hasDropped = isOnlyUsage(parseJson(data.toString()));
      return hasDropped ? nothing : stripMembers(data, ["usage"]);
    });
  };
}

function isOnlyUsage(chunk: unknown): boolean {
  if (!isJsonObject(chunk) || !isJsonObject(chunk.usage)) return false;
  const { choices = [] } = chunk;
  return Array.isArray(choices) && choices.length === 0;
}
