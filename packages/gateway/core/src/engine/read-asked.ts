import { type ChatRequest, NotSupportedByEngine } from "@proj/model-apis";
import { isJsonObject, type JsonObject } from "@proj/model-apis/json";
import type { Call } from "../call/call.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { type EngineName, engineTools } from "../prompts/index.ts";

/** What a call asks an engine for. @throws GatewayError not_supported_by_engine */
export function readAsked(
  call: Call,
  read: (request: JsonObject) => ChatRequest,
  engine: EngineName,
): { readonly request: JsonObject; readonly asked: ChatRequest } {
  const value: unknown = JSON.parse(call.body.bytes.toString());
  const request = isJsonObject(value) ? value : {};
  try {
    const asked = read(request);
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

export const hasImages = ({ messages }: ChatRequest): boolean =>
  messages.some(({ content }) => typeof content !== "string");
