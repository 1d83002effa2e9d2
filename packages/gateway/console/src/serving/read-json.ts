import type { IncomingMessage } from "node:http";
import { QueryError } from "@proj/session-store/answers";

const maxBytes = 256 * 1024;
const bodyTimeoutMs = 30_000;

/** @throws QueryError the body is too large, too slow, or not JSON */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const tooSlow = new QueryError("the body is too slow");
  const timer = setTimeout(() => request.destroy(tooSlow), bodyTimeoutMs);
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new QueryError("the body is too large");
      chunks.push(chunk);
    }
    return parsed(Buffer.concat(chunks).toString());
  } finally {
    clearTimeout(timer);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new QueryError("the body is not JSON");
  }
}
