import type { IncomingMessage } from "node:http";
import { isJsonObject, type JsonObject } from "@proj/model-apis/json";
import { ApiError } from "./api-error.ts";

const maxBodyBytes = 64 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes)
      throw new ApiError(413, `The body exceeds ${maxBodyBytes} bytes.`, null);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function parseBody(bytes: Buffer): JsonObject {
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString());
  } catch {
    throw new ApiError(400, "We could not parse the JSON body of your request.", null);
  }
  if (!isJsonObject(body)) throw new ApiError(400, "The body must be a JSON object.", null);
  return body;
}
