import type { Express } from "express";
import type { ConsolePage } from "./console-page.ts";
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
