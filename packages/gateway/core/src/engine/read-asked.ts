import type { RouteConfig } from "@proj/gateway-protocol";
import { type ChatRequest, NotSupportedByEngine, readChat } from "@proj/model-apis";
import type { JsonObject } from "@proj/model-apis/json";
import type { Call } from "../call/call.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { type EngineName, engineForm } from "../prompts/index.ts";
import type { ReadRequest } from "./read-grown.ts";

/** What a call asks an engine for. @throws GatewayError not_supported_by_engine */
export function readAsked(call: Call, read: () => ReadRequest, engine: EngineName): ReadRequest {
  try {
    const { request, asked: own } = read();
    const asked = asEngineGets(own, call.route.config, engine);
    const { modalities } = call.route.config;
    if (hasImages(asked) && !modalities.includes("image"))
      throw new NotSupportedByEngine("messages", "images (its route lists no modality 'image')");
    return { request, asked };
  } catch (cause) {
    if (!(cause instanceof NotSupportedByEngine)) throw cause;
    const { message, param } = cause;
    throw new GatewayError("not_supported_by_engine", message, { param, cause });
  }
}

/**
 * A request as the engine gets it, so that it is known what binds its answer, and what its prompt is rendered with.
 * @throws NotSupportedByEngine
 */
export function asEngineGets(
  asked: ChatRequest,
  route: RouteConfig,
  engine: EngineName,
): ChatRequest {
  const { names, tools, variables, members } = ownMembers(route);
  const kept = Object.entries(asked.members).filter(([name]) => !names.has(name));
  return engineForm(engine, {
    ...asked,
    tools: tools ?? asked.tools,
    variables: { ...asked.variables, ...variables },
    members: { ...Object.fromEntries(kept), ...members },
  });
}

interface OwnMembers extends ChatRequest {
  readonly names: ReadonlySet<string>;
}

const known = new WeakMap<RouteConfig, OwnMembers>();

/** What a route changes in every body is chat completions', as the engine's body is. */
function ownMembers(route: RouteConfig): OwnMembers {
  const found = known.get(route);
  if (found !== undefined) return found;
  const own: JsonObject = { ...route.extra_body, ...route.extra_body_stream };
  try {
    const read = { ...readChat(own), names: new Set(Object.keys(own)) };
    known.set(route, read);
    return read;
  } catch (error) {
    if (!(error instanceof NotSupportedByEngine)) throw error;
    throw new NotSupportedByEngine(error.param, "what its route's extra_body asks for");
  }
}

export const hasImages = ({ messages }: ChatRequest): boolean =>
  messages.some(({ content }) => typeof content !== "string");
