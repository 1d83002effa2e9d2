import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { asGatewayError, GatewayError } from "../gateway-error.ts";
import { replyError } from "./error-reply.ts";
import type { ModelEndpoint } from "./model-endpoint.ts";
import { createModelPathMatcher, pathnameOf } from "./model-path.ts";
import { type OriginCheck, preflightHeaders } from "./origin-check.ts";
import type { Readiness } from "./readiness.ts";

export interface RequestListenerOptions {
  readonly base_session_path: string;
  readonly originCheck: OriginCheck;
  readonly readiness: Readiness;
  readonly modelEndpoint: ModelEndpoint;
  /** Serves what is no model traffic. */
  readonly controlApp: RequestListener;
}

/**
 * The first to see a request. Model traffic is told by its path and served without Express, whose
 * share of a small request's time would be larger than that of everything else together.
 */
export function createRequestListener(options: RequestListenerOptions): RequestListener {
  const { originCheck, readiness, modelEndpoint, controlApp } = options;
  const matchModelPath = createModelPathMatcher(options.base_session_path);
  return (req: IncomingMessage, res: ServerResponse) => {
    try {
      const cors = originCheck.check(req);
      const path = matchModelPath(pathnameOf(req.url ?? "/"));
      if (req.method === "OPTIONS" && cors.length > 0) {
        res.writeHead(204, [...cors, ...preflightHeaders]).end();
      } else if (path !== null && req.method === "POST") {
        if (readiness.refusesModelTraffic) throw draining();
        void modelEndpoint.serve(req, res, path, cors);
      } else {
        for (let index = 0; index + 1 < cors.length; index += 2)
          res.setHeader(cors[index] ?? "", cors[index + 1] ?? "");
        controlApp(req, res);
      }
    } catch (error) {
      replyError(res, asGatewayError(error), randomUUID());
    }
  };
}

function draining(): GatewayError {
  return new GatewayError(
    "gateway_draining",
    "The gateway is shutting down. Try another, or again.",
    {
      retryAfterMs: 1_000,
    },
  );
}
