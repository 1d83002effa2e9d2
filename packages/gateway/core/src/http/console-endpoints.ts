import { consolePath, servePage } from "@proj/console";
import { Router } from "express";
import { answerOf } from "./control-answer.ts";
import { onlyMethods } from "./only-methods.ts";

/** Where people look for the console, too. */
const nearby: ReadonlySet<string> = new Set(["/", `${consolePath}/`]);

/** The console's page. It contains no secrets: it fetches what it shows with the caller's key. */
export function consoleEndpoints(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use((req, res, next) => {
    // A client that asks for JSON mistook this address for an API's.
    const isBrowser = req.headers.accept?.includes("text/html") === true;
    if (!nearby.has(req.path) || req.method !== "GET" || !isBrowser) return next();
    res.writeHead(302, ["location", consolePath, "x-request-id", answerOf(res).request_id]).end();
  });
  router
    .route([consolePath, `${consolePath}/*file`])
    .get(async (req, res, next) => {
      if (!(await servePage(req.path, req, res))) next("router");
    })
    .all(onlyMethods("GET", "HEAD"));
  return router;
}
