import type { Endpoint } from "@proj/model-apis";
import { createTimeOrderedId } from "@proj/session-store";
import type { RequestHandler, Response } from "express";
import { CallerGoneError, type GatewayError } from "../errors/gateway-error.ts";
import { gatewayTime } from "./answer-head.ts";
import { replyError } from "./error-reply.ts";
import { sendWhole } from "./whole-answer.ts";

/** A control endpoint's answer while it is being made. */
interface ControlAnswer {
  readonly request_id: string;
  /** When the request came, in milliseconds of `performance.now()`. */
  readonly started: number;
  /** Headers for any answer: names and values in turn. */
  readonly headers: string[];
}

const answers = new WeakMap<Response, ControlAnswer>();

/** Must see a request before anything that answers it. */
export const beginAnswer: RequestHandler = (_req, res, next) => {
  answers.set(res, {
    request_id: createTimeOrderedId(),
    started: performance.now(),
    headers: ["cache-control", "no-store"],
  });
  next();
};

export function answerOf(res: Response): ControlAnswer {
  const answer = answers.get(res);
  if (answer === undefined) throw new Error("no answer was begun");
  return answer;
}

export function sendJson(res: Response, document: object, status = 200): void {
  sendText(res, "application/json", JSON.stringify(document), status);
}

export function sendText(res: Response, contentType: string, text: string, status = 200): void {
  const { request_id } = answerOf(res);
  const headers = ["content-type", contentType, "x-request-id", request_id, ...ownHeaders(res)];
  sendWhole(res, { status, headers, body: Buffer.from(text), closes: false });
}

/** Aborts when the caller has left or has its answer. */
export function goneSignal(res: Response): AbortSignal {
  const gone = new AbortController();
  res.once("close", () => gone.abort(new CallerGoneError()));
  return gone.signal;
}

/** @param endpoint decides the form of the error; null: OpenAI's */
export function sendError(res: Response, error: GatewayError, endpoint: Endpoint | null): void {
  replyError(res, error, answerOf(res).request_id, ownHeaders(res), endpoint);
}

/** Answers a preflight: the request may follow. */
export function sendNoContent(res: Response): void {
  const { request_id } = answerOf(res);
  res.writeHead(204, ["x-request-id", request_id, ...ownHeaders(res)]).end();
}

function ownHeaders(res: Response): string[] {
  const { headers, started } = answerOf(res);
  return [...headers, "server-timing", gatewayTime(performance.now() - started)];
}
