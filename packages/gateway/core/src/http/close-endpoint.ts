import type { CloseBody, GatewayConfig } from "@proj/gateway-protocol";
import type { Response } from "express";
import type { BufferedBytes } from "../call/body-memory.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { CloseOptions } from "../session/session-close.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import { statusBody } from "../session/status-body.ts";
import { answerOf, sendJson } from "./control-answer.ts";
import { readJsonObject } from "./json-body.ts";
import { seconds } from "./query-parameters.ts";
import { bodyPace } from "./read-body.ts";
import type { SessionEndpoint } from "./session-endpoint.ts";

export interface CloseDependencies {
  readonly config: GatewayConfig;
  readonly registry: SessionRegistry;
  readonly buffered: BufferedBytes;
}

/** The longest useful wait of one close request, in seconds. */
const maxWaitS = 30;
const maxReason = 1_000;

/** `POST {session}/close?wait=` */
export function closeEndpoint(dependencies: CloseDependencies): SessionEndpoint {
  const { config, registry, buffered } = dependencies;
  const pace = bodyPace(config);
  return {
    method: "POST",
    opensToSessionKey: false,
    serve: async (session_id, req, res) => {
      const waitMs = 1_000 * Math.min(seconds(req, "wait"), maxWaitS);
      const asked = closeRequest(await readJsonObject({ req, res }, pace, buffered));
      // A restarted gateway does not know the session, but its launcher must still be able to close it.
      const session = registry.find(session_id) ?? (await registry.open(session_id));
      const { traceparent } = req.headers;
      const closed = session.close({
        ...asked,
        traceparent: typeof traceparent === "string" ? traceparent : null,
      });
      // Before the first wait, so that the close that begins closing answers `closing`.
      let body: CloseBody = statusBody(session, config);
      if (waitMs > 0) {
        await closedOrGone(closed, waitMs, res);
        body = statusBody(session, config);
      }
      if (body.status !== "closed")
        answerOf(res).headers.push("retry-after", String(config.session_close_retry_after_s));
      sendJson(res, body);
    },
  };
}

/** @throws GatewayError invalid_request */
function closeRequest({ reason, mode }: Readonly<Record<string, unknown>>): CloseOptions {
  if (reason !== undefined && (typeof reason !== "string" || reason.length > maxReason))
    throw new GatewayError(
      "invalid_request",
      `'reason' must be a string of at most ${maxReason} characters.`,
      { param: "reason" },
    );
  if (mode !== undefined && mode !== "drain" && mode !== "abort")
    throw new GatewayError("invalid_request", "'mode' must be 'drain' or 'abort'.", {
      param: "mode",
    });
  return { reason: reason ?? null, mode: mode ?? "drain" };
}

async function closedOrGone(closed: Promise<void>, waitMs: number, res: Response): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  res.once("close", resolve);
  await Promise.race([closed, over]);
  clearTimeout(timer);
  res.removeListener("close", resolve);
}
