import { Router } from "express";
import type { ConsolePage } from "./console-page.ts";
import { answerOf } from "./control-answer.ts";
import { onlyMethods } from "./only-methods.ts";

export function consoleEndpoints({ path, serve }: ConsolePage): Router {
  // Where people look for the console, too.
  const nearby: ReadonlySet<string> = new Set(["/", `${path}/`]);
  const router = Router({ caseSensitive: true, strict: true });
  router.use((req, res, next) => {
    // A client that asks for JSON mistook this address for an API's.
    const isBrowser = req.headers.accept?.includes("text/html") === true;
    if (!nearby.has(req.path) || req.method !== "GET" || !isBrowser) return next();
    res.writeHead(302, ["location", path, "x-request-id", answerOf(res).request_id]).end();
  });
  router
    .route([path, `${path}/*file`])
    .get(async (req, res, next) => {
      if (!(await serve(req.path, req, res))) next("router");
    })
    .all(onlyMethods("GET", "HEAD"));
  return router;
}
