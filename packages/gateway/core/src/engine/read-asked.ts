import type { RouteConfig } from "@proj/gateway-protocol";
import { type ChatRequest, NotSupportedByEngine } from "@proj/model-apis";
import { type JsonObject, objectOf } from "@proj/model-apis/json";
import type { Call } from "../call/call.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { type EngineName, engineTools } from "../prompts/index.ts";
import type { ReadRequest } from "./read-grown.ts";

/** What a call asks an engine for. @throws GatewayError not_supported_by_engine */
export function readAsked(call: Call, read: () => ReadRequest, engine: EngineName): ReadRequest {
  try {
    const { request, asked: own } = read();
    const asked = withRouteMembers(own, call.route.config);
    const { modalities } = call.route.config;
    if (hasImages(asked) && !modalities.includes("image"))
      throw new NotSupportedByEngine("messages", "images (its route lists no modality 'image')");
    return { request, asked: { ...asked, tools: engineTools(engine, asked.tools) } };
  } catch (cause) {
    if (!(cause instanceof NotSupportedByEngine)) throw cause;
    const { message, param } = cause;
    throw new GatewayError("not_supported_by_engine", message, { param, cause });
  }
}

/** As the engine gets it, so that it is known what binds its answer, and what its prompt is rendered with. */
function withRouteMembers(asked: ChatRequest, route: RouteConfig): ChatRequest {
  const own: JsonObject = { ...route.extra_body, ...route.extra_body_stream };
  const { chat_template_kwargs, ...members } = { ...asked.members, ...own };
  const { n } = members;
  if (typeof n === "number" && n > 1)
    throw new NotSupportedByEngine("n", "several choices, which its route's extra_body asks for");
  const { reasoning_effort } = own;
  const variables = {
    ...asked.variables,
    ...(typeof reasoning_effort === "string" ? { reasoning_effort } : {}),
    ...objectOf(chat_template_kwargs),
  };
  return { ...asked, members, variables };
}

export const hasImages = ({ messages }: ChatRequest): boolean =>
  messages.some(({ content }) => typeof content !== "string");
