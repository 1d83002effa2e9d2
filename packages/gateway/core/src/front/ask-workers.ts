import type { IncomingMessage, ServerResponse } from "node:http";
import type { SessionListBody } from "@proj/gateway-protocol";
import type { Dispatcher } from "undici";
import { sendWhole } from "../http/whole-answer.ts";
import { forwardedHeaders } from "./relay-request.ts";
import type { FrontWorker } from "./worker-pools.ts";

/** One worker's answer. */
export interface WorkerAnswer {
  readonly worker: FrontWorker;
  readonly status: number;
  /** Names and values in turn, without those about the connection and the length. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

export interface WorkerQuestion {
  readonly req: IncomingMessage;
  readonly path: string;
  /** The format in which the answers can be merged; null: the workers' default. */
  readonly accept: string | null;
  /** Longest time for a worker to answer, in milliseconds. */
  readonly answerMs: number;
}

export interface WorkerAnswers {
  readonly answers: readonly WorkerAnswer[];
  /** Those that died, or did not answer in time. */
  readonly silent: readonly FrontWorker[];
}

/** Sends every worker the same request, without a body. */
export async function askWorkers(
  workers: readonly FrontWorker[],
  { req, path, accept, answerMs }: WorkerQuestion,
): Promise<WorkerAnswers> {
  const headers = headersWithoutBody(req, accept);
  const method = (req.method === "HEAD" ? "GET" : (req.method ?? "GET")) as Dispatcher.HttpMethod;
  const all = await Promise.all(
    workers.map(async (worker): Promise<WorkerAnswer | null> => {
      try {
        const signal = AbortSignal.timeout(answerMs);
        const answer = await worker.pool.request({ path, method, headers, signal });
        const body = Buffer.from(await answer.body.bytes());
        return { worker, status: answer.statusCode, headers: keptHeaders(answer.headers), body };
      } catch {
        return null;
      }
    }),
  );
  return {
    answers: all.filter((answer) => answer !== null),
    silent: workers.filter((_, index) => all[index] === null),
  };
}

const replaced = new Set(["accept", "content-length"]);

/** The caller's headers for a request without its body, with our own `accept`. */
function headersWithoutBody(req: IncomingMessage, accept: string | null): string[] {
  const headers = forwardedHeaders(req);
  const others = headers.filter(
    (_, index) => !replaced.has(headers[index - (index % 2)]?.toLowerCase() ?? ""),
  );
  return accept === null ? others : [...others, "accept", accept];
}

/** Answers as a worker did, perhaps with another body of the same kind. */
export function sendAnswer(
  res: ServerResponse,
  { status, headers, body }: Omit<WorkerAnswer, "worker">,
): void {
  sendWhole(res, { status, headers, body, closes: false });
}

/** One page of the sessions in memory, merged from the first page of each worker. */
export function mergeSessionPages(
  answers: readonly WorkerAnswer[],
  limit: number,
): SessionListBody {
  const pages = answers.map(({ body }) => JSON.parse(body.toString()) as SessionListBody);
  const sessions = pages
    .flatMap((page) => page.sessions)
    .sort((a, b) => (a.session_id < b.session_id ? -1 : 1));
  const page = sessions.slice(0, limit);
  const isCut = sessions.length > limit || pages.some(({ next_after }) => next_after !== null);
  return { sessions: page, next_after: isCut ? (page.at(-1)?.session_id ?? null) : null };
}

const ofConnection = new Set(["connection", "keep-alive", "content-length", "transfer-encoding"]);

function keptHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): string[] {
  const kept: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || ofConnection.has(name)) continue;
    for (const one of [value].flat()) kept.push(name, one);
  }
  return kept;
}
