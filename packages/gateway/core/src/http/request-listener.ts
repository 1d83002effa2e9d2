import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { ModelEndpoint } from "./model-endpoint.ts";
import { createModelPathMatcher, pathnameOf } from "./paths.ts";
import { createStoredPathMatcher } from "./stored-path.ts";

/**
 * The first to see a request. Model traffic is recognised by its path and served without Express, which would
 * take more of a small request's time than everything else together.
 * @param controlApp serves everything but model traffic
 */
export function createRequestListener(
  base_session_path: string,
  modelEndpoint: ModelEndpoint,
  controlApp: RequestListener,
): RequestListener {
  const matchModelPath = createModelPathMatcher(base_session_path);
  const matchStoredPath = createStoredPathMatcher(base_session_path);
  return (req: IncomingMessage, res: ServerResponse) => {
    const url = takeTarget(req);
    const { method = "" } = req;
    const path =
      (method === "POST" ? matchModelPath(pathnameOf(url)) : null) ?? matchStoredPath(method, url);
    if (path !== null) {
      void modelEndpoint.serve(req, res, path);
      return;
    }
    req.url = url;
    controlApp(req, res);
  };
}

/**
 * Puts the target into origin form. A server must also accept a whole URL, the form sent to proxies; its host
 * then replaces `Host` (RFC 9112, section 3.2.2).
 */
function takeTarget(req: IncomingMessage): string {
  const target = req.url ?? "/";
  if (target.startsWith("/")) return target;
  const absolute = /^https?:\/\/([^/?#]*)(\/.*)?$/i.exec(target);
  if (absolute === null) return target;
  req.headers.host = absolute[1];
  return absolute[2] ?? "/";
}
