import type { ServerResponse } from "node:http";
import { type CallError, CallerGoneError } from "../gateway-error.ts";
import { type Answer, isEventStream } from "../pipeline/answer.ts";
import type { Cancellation } from "../pipeline/cancellation.ts";
import { replyError } from "./error-reply.ts";

export interface RelayOptions {
  readonly request_id: string;
  /** Headers of the gateway's own, asked for when the head is written. */
  readonly ownHeaders: () => readonly string[];
  /** Longest time that the caller may leave a write untaken, in milliseconds. */
  readonly stallMs: number;
  readonly cancellation: Cancellation;
}

/**
 * Sends an answer to the caller, as it comes and no faster than the caller takes it, and settles
 * it when the last byte has left or the answer has failed.
 */
export function relay(res: ServerResponse, answer: Answer, options: RelayOptions): void {
  const { cancellation, stallMs } = options;
  let stall: NodeJS.Timeout | null = null;
  let ended = false;
  const watchStall = (): void => {
    stall ??= setTimeout(() => {
      cancellation.cancel(new CallerGoneError(`the caller took nothing for ${stallMs} ms`));
      res.destroy();
    }, stallMs);
  };
  const stopWatching = (): void => {
    if (stall !== null) clearTimeout(stall);
    stall = null;
  };
  const settle = (error: CallError | null): void => {
    stopWatching();
    answer.settle({ error });
  };
  const writeHead = (length: number | null): void => {
    const headers = answer.headers.concat(options.ownHeaders());
    if (length !== null && !headers.includes("content-length"))
      headers.push("content-length", String(length));
    res.writeHead(answer.status, headers);
  };
  res.on("drain", () => {
    stopWatching();
    answer.body.resume();
  });
  res.on("close", () => {
    if (ended) settle(res.writableFinished ? null : new CallerGoneError("the caller left"));
  });
  // A caller sees that its stream has begun before its first event comes.
  if (isEventStream(answer) && !res.destroyed) {
    writeHead(null);
    res.flushHeaders();
  }
  answer.body.pipe({
    write: (chunk) => {
      if (res.destroyed) return true;
      if (!res.headersSent) writeHead(null);
      if (res.write(chunk)) return true;
      watchStall();
      return false;
    },
    end: (tail) => {
      ended = true;
      if (res.destroyed) {
        settle(new CallerGoneError("the caller left"));
        return;
      }
      res.once("finish", () => settle(null));
      watchStall();
      if (!res.headersSent) writeHead(tail.reduce((sum, bytes) => sum + bytes.byteLength, 0));
      const last = tail.at(-1);
      if (tail.length > 1) {
        res.cork();
        for (const bytes of tail.slice(0, -1)) res.write(bytes);
        res.uncork();
      }
      if (last === undefined) res.end();
      else res.end(last);
    },
    fail: (error) => {
      if (!res.destroyed && !(error instanceof CallerGoneError)) {
        if (res.headersSent) cut(res, answer.reading?.errorEvent(error) ?? null);
        else replyError(res, error, options.request_id, options.ownHeaders());
      }
      settle(error);
    },
  });
}

/** Ends a connection so that nobody takes the answer for whole: without its closing chunk. */
function cut(res: ServerResponse, lastBytes: Uint8Array | null): void {
  const { socket } = res;
  if (lastBytes !== null) res.write(lastBytes);
  if (socket === null) res.destroy();
  else socket.destroySoon();
}
