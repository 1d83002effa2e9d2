import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import { RefusalError } from "../engine/refusal.ts";
import { controlFaults } from "../faults/control-faults.ts";
import type { Faults } from "../faults/faults.ts";
import type { PaperMarket } from "../market/paper-market.ts";
import { pageRouter } from "../page/page-router.ts";
import { executed, failed, refused } from "../wire/answers.ts";
import { FormReader } from "../wire/form-reader.ts";
import { authorizedConnection, tokenIn } from "./authorization.ts";
import type { Connections } from "./connections.ts";
import { MarketControl } from "./control-market.ts";
import { answerReport } from "./report-answer.ts";
import { answerRequest } from "./resources.ts";
import type { Tokens } from "./tokens.ts";

export interface ListenerParts {
  readonly market: PaperMarket;
  readonly connections: Connections;
  readonly tokens: Tokens;
  readonly faults: Faults;
  readonly bodyBytes: number;
  readonly log: (message: string) => void;
}

/** All HTTP except the handshake: the page, the control resources and the interface's resources. */
export function tradingListener(parts: ListenerParts): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // FormReader parses queries as well as bodies.
  app.set("query parser", false);
  app.use(pageRouter());
  const body = express.text({ type: () => true, limit: parts.bodyBytes, inflate: false });
  const everything = requireToken(parts, true);
  app.all("/control/faults", everything, body, controlHandler(parts));
  const control = new MarketControl(parts.market, parts.connections);
  app.all("/control/advance", everything, body, advanceHandler(control, parts));
  app.get("/control/report", requireToken(parts), ({ originalUrl, headers }, response) => {
    const { search } = new URL(originalUrl, "http://server.invalid");
    const only = accountOf(headers.authorization, parts);
    const report = answerReport(parts.market, new FormReader(search), only);
    const { type, body: text, leftOut } = report;
    if (leftOut !== null) response.set("x-left-out", leftOut);
    response.type(type).send(text);
  });
  app.use(requireConnection(parts), body, resourceHandler(parts));
  app.use(errorHandler(parts.log));
  return app;
}

/** @param ofAll whether tokens of one account are not enough */
function requireToken(parts: ListenerParts, ofAll = false): RequestHandler {
  return ({ headers: { authorization } }, response, next) => {
    if (tokenIn(authorization, parts) === null)
      return void response.status(401).json(failed("Send 'Authorization: Bearer <token>'"));
    if (ofAll && accountOf(authorization, parts) !== null)
      return void response.status(403).json(failed("The token opens one account only"));
    next();
  };
}

/** The only account that the request's token opens; null: all. */
function accountOf(authorization: string | undefined, parts: ListenerParts): string | null {
  const token = tokenIn(authorization, parts);
  return token === null ? null : parts.tokens.accountOf(token);
}

function controlHandler({ faults, connections }: ListenerParts): RequestHandler {
  return (request, response) => {
    if (request.method === "POST") {
      controlFaults(faults, formOf(request.body), () => connections.dropAll());
    } else if (request.method !== "GET") {
      return void response.status(405).set("allow", "GET, POST").json(failed("Use GET or POST"));
    }
    response.json(executed({ data: faults.settings }));
  };
}

/** A refusal leaves nothing moved; a caller that goes away stops the market where it is. */
function advanceHandler(control: MarketControl, parts: ListenerParts): RequestHandler {
  return async ({ method, body, headers }, response) => {
    if (method !== "POST" && method !== "GET")
      return void response.status(405).set("allow", "GET, POST").json(failed("Use GET or POST"));
    const left = new AbortController();
    response.once("close", () => left.abort());
    const caller = authorizedConnection(headers.authorization, parts);
    const data =
      method === "GET" ? control.time : await control.advance(formOf(body), caller, left.signal);
    if (!response.closed) response.json(executed({ data }));
  };
}

function requireConnection(parts: ListenerParts): RequestHandler {
  return ({ headers }, response, next) => {
    const connection = authorizedConnection(headers.authorization, parts);
    if (connection === null) {
      const message =
        "Send 'Authorization: Bearer <connection id><token>' with the id of an open connection";
      return void response.status(401).json(failed(message));
    }
    if (!connection.requests.take()) {
      const message = "Too many requests from this connection: send fewer per second";
      return void response.status(403).json(failed(message));
    }
    next();
  };
}

function resourceHandler(parts: ListenerParts): RequestHandler {
  return (request, response) => {
    const { pathname, search } = new URL(request.originalUrl, "http://server.invalid");
    // The connection may have closed while the body arrived.
    const connection = authorizedConnection(request.headers.authorization, parts);
    if (connection === null) {
      return void response.status(401).json(failed("The connection has been closed"));
    }
    const { method } = request;
    const form = method === "GET" ? new FormReader(search) : formOf(request.body);
    const path = decodePath(pathname.replace(/(?<!\/)\/+$/, ""));
    const answer = answerRequest(parts, { method, path, form, connection });
    if (answer === null) response.status(404).json(failed(`There is no ${method} ${path}`));
    else response.json(answer);
  };
}

function errorHandler(log: (message: string) => void): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof RefusalError) return void response.json(refused(error.refusal));
    const status = statusOf(error);
    const message = error instanceof Error ? error.message : String(error);
    if (status >= 500) log(`a request failed: ${message}`);
    response.status(status).json(failed(message));
  };
}

/** Express's errors carry their status, such as 413. */
function statusOf(error: unknown): number {
  if (typeof error !== "object" || error === null || !("status" in error)) return 500;
  return typeof error.status === "number" ? error.status : 500;
}

const formOf = (body: unknown): FormReader => new FormReader(typeof body === "string" ? body : "");

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
