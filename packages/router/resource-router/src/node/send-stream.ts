import type { ServerResponse } from "node:http";
import { openSource, requireBytes, type Stream } from "../answer/stream.ts";
import type { Answer } from "../answer/to-answer.ts";
import type { NodeExchange } from "./node-exchange.ts";
import { writeHead } from "./write-head.ts";

/**
 * Sends a stream chunk by chunk, no faster than the caller reads. The head is sent with the first chunk, so that a
 * stream that fails before it can still be answered 500, unless `headFirst` is set. The source is always closed, and
 * at once when the caller disconnects.
 * @throws the source's error, and TypeError for a chunk that is neither a string nor bytes
 */
export async function sendStream(
  exchange: NodeExchange,
  answer: Answer & { readonly body: Stream },
): Promise<void> {
  const { request, response, limits } = exchange;
  const { status, headers, headFirst } = answer;
  // The rest of an unread body would precede the next request.
  if (exchange.bodyIsCutShort) headers.push("connection", "close");
  const source = openSource(answer.body);
  response.once("close", source.close);
  try {
    // A body that differs from its declared length would corrupt every later answer on the connection.
    response.strictContentLength = true;
    if (headFirst) {
      writeHead(response, status, headers);
      response.flushHeaders();
    }
    const isHead = request.method === "HEAD";
    for (let isOver = isHead && headFirst; !isOver && !response.destroyed; isOver ||= isHead) {
      const { done = false, value } = await source.next();
      const chunk = done ? "" : requireBytes(value);
      if (!response.headersSent && !response.destroyed) writeHead(response, status, headers);
      isOver = done;
      if (chunk.length > 0 && !isHead && !response.write(chunk))
        await taken(response, limits.stallTimeoutMs);
    }
    response.end();
  } catch (error) {
    if (!response.destroyed) throw error;
  } finally {
    response.off("close", source.close);
    source.close();
  }
}

/** Resolves when the caller has read what was written, or is gone; disconnects a caller that takes too long. */
function taken(response: ServerResponse, stallTimeoutMs: number): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => response.destroy(), stallTimeoutMs);
  response.once("drain", resolve).once("close", resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    response.off("drain", resolve).off("close", resolve);
  });
}
