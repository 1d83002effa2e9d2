import type { IncomingHttpHeaders } from "node:http";
import type {
  AnthropicModelBody,
  AnthropicModelListBody,
  ModelBody,
  ModelListBody,
} from "@proj/gateway-protocol";
import type { RouteTable } from "../routes/route-table.ts";
import { decodeRouteKey } from "./paths.ts";

/** Models have no creation time: this is when the process started, in seconds since the epoch. */
const created = Math.floor(Date.now() / 1_000);
const created_at = new Date(1_000 * created).toISOString();

/** Whether the caller uses Anthropic's API, whose clients name its version in every request. */
export const speaksAnthropic = (headers: IncomingHttpHeaders): boolean =>
  headers["anthropic-version"] !== undefined;

/**
 * The route keys, in the form in which the caller's client lists models.
 * @param opened those that the caller's key opens; undefined: all
 */
export function modelList(
  routes: RouteTable,
  headers: IncomingHttpHeaders,
  opened?: readonly string[],
): ModelListBody | AnthropicModelListBody {
  const keys = routes.keys.filter((key) => opened?.includes(key) !== false);
  if (!speaksAnthropic(headers)) return { object: "list", data: keys.map(toBody) };
  return {
    data: keys.map(toAnthropicBody),
    first_id: keys[0] ?? null,
    last_id: keys.at(-1) ?? null,
    has_more: false,
  };
}

/**
 * One route, in the form in which the caller's client retrieves a model.
 * @param escaped the key as it is in the path; it may contain slashes
 * @param opened those that the caller's key opens; undefined: all
 * @throws GatewayError model_not_found; invalid_request: a malformed percent-escape
 */
export function modelOf(
  routes: RouteTable,
  escaped: string,
  headers: IncomingHttpHeaders,
  opened?: readonly string[],
): ModelBody | AnthropicModelBody {
  const { model } = routes.get(decodeRouteKey(escaped), opened);
  return speaksAnthropic(headers) ? toAnthropicBody(model) : toBody(model);
}

function toBody(id: string): ModelBody {
  return { id, object: "model", created, owned_by: "gateway" };
}

function toAnthropicBody(id: string): AnthropicModelBody {
  return { type: "model", id, display_name: id, created_at };
}
