import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { ModelEndpoint } from "./model-endpoint.ts";
import { createModelPathMatcher } from "./model-path.ts";
import { pathnameOf } from "./session-path.ts";

export interface RequestListenerOptions {
  readonly base_session_path: string;
  readonly modelEndpoint: ModelEndpoint;
  /** Serves what is no model traffic. */
  readonly controlApp: RequestListener;
}

/**
 * The first to see a request. Model traffic is told by its path and served without Express, whose
 * share of a small request's time would be larger than that of everything else together.
 */
export function createRequestListener(options: RequestListenerOptions): RequestListener {
  const { modelEndpoint, controlApp } = options;
  const matchModelPath = createModelPathMatcher(options.base_session_path);
  return (req: IncomingMessage, res: ServerResponse) => {
    const url = originForm(req.url ?? "/");
    const path = req.method === "POST" ? matchModelPath(pathnameOf(url)) : null;
    if (path !== null) {
      void modelEndpoint.serve(req, res, path);
      return;
    }
    req.url = url;
    controlApp(req, res);
  };
}

/** A server has to take the whole URL as well, which callers send by way of a proxy (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  return /^https?:\/\/[^/?#]*(\/.*)$/i.exec(target)?.[1] ?? target;
}
