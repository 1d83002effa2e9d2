import type { ApiError } from "@proj/model-apis";
import { isJsonObject, parsedObject } from "@proj/model-apis/json";

/**
 * Reads an engine's error.
 * @param status the answer's, or 200 for an error in a stream, which names its own
 * @param text the answer's body
 */
export function readEngineError(status: number, text: string): ApiError {
  const json = status === 200 ? (/^data: ?(.*)$/m.exec(text)?.[1] ?? text) : text;
  const { error, message, detail } = parsedObject(json);
  const inner = isJsonObject(error) ? error : { message: error ?? message ?? detail };
  return {
    message: typeof inner.message === "string" ? inner.message : text.slice(0, 1_000),
    param: typeof inner.param === "string" ? inner.param : null,
    code: typeof inner.code === "string" ? inner.code : "engine_error",
    kind: {
      status: status === 200 ? statusOf(inner.code) : status,
      type: typeof inner.type === "string" ? inner.type : "upstream_error",
    },
  };
}

const statusOf = (code: unknown): number =>
  typeof code === "number" && code >= 400 && code < 600 ? code : 502;
