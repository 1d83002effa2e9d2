import type { ServerResponse } from "node:http";
import { openSource, requireBytes, type Stream } from "../answer/stream.ts";
import type { Answer } from "../answer/to-answer.ts";
import type { NodeExchange } from "./node-exchange.ts";
import { writeHead } from "./write-head.ts";

/**
 * Sends a stream as it comes, and no faster than the caller takes it. The head goes with the first chunk,
 * so that a stream which fails before it can still be answered 500, unless `headFirst` says otherwise. Its
 * source is closed in every case, and at once when the caller leaves.
 * @throws what the source throws, and TypeError for a chunk that is neither text nor bytes
 */
export async function sendStream(
  exchange: NodeExchange,
  answer: Answer & { readonly body: Stream },
): Promise<void> {
  const { request, response, limits } = exchange;
  const { status, headers, headFirst } = answer;
  // The rest of a body that nobody reads is in front of the next request.
  if (exchange.bodyIsCutShort) headers.push("connection", "close");
  const source = openSource(answer.body);
  response.once("close", source.close);
  try {
    // A body that does not keep to its length would shift every later answer on the connection.
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

/** Resolves when the caller has taken what was written, or has gone; one that takes too long is cut off. */
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
