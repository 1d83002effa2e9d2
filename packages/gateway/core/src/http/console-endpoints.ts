import type { IncomingMessage, ServerResponse } from "node:http";
import type { Express } from "express";
import { answerOf } from "./control-answer.ts";
import { onlyMethods } from "./only-methods.ts";

export function addConsole(app: Express, { path, serve }: ConsolePage): void {
  // Where people look for the console, too.
  const nearby: ReadonlySet<string> = new Set(["/", `${path}/`]);
  app.use((req, res, next) => {
    // A client that asks for JSON mistook this address for an API's.
    const isBrowser = req.headers.accept?.includes("text/html") === true;
    if (!nearby.has(req.path) || req.method !== "GET" || !isBrowser) return next();
    res.writeHead(302, ["location", path, "x-request-id", answerOf(res).request_id]).end();
  });
  app
    .route([path, `${path}/*file`])
    .get(async (req, res, next) => {
      if (!(await serve(req.path, req, res))) next("route");
    })
    .all(onlyMethods("GET", "HEAD"));
}

/** A page for people, with its files. It contains no secrets: it fetches what it shows with the caller's key. */
export interface ConsolePage {
  /** Without a slash at its end: `/console`. Its files are below. */
  readonly path: string;
  /** Answers if the path is one of its files. @returns whether it is */
  serve(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}
