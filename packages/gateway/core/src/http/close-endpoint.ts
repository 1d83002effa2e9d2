import { once } from "node:events";
import type { CloseBody } from "@proj/gateway-protocol";
import { GatewayError } from "../errors/gateway-error.ts";
import type { CloseOptions } from "../session/session-close.ts";
import { statusBody } from "../session/status-body.ts";
import { within } from "../waiting/within.ts";
import { answerOf, sendJson } from "./control-answer.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import { readJsonObject } from "./json-body.ts";
import { seconds } from "./query-parameters.ts";
import type { SessionEndpoint } from "./session-endpoint.ts";

/** The longest useful wait of one close request, in seconds. */
const maxWaitS = 30;
const maxReason = 1_000;

/** `POST {session}/close?wait=` */
export function closeEndpoint(dependencies: ControlDependencies): SessionEndpoint {
  const { config, registry } = dependencies;
  return {
    method: "POST",
    opensToSessionKey: false,
    serve: async (session_id, req, res) => {
      const waitMs = 1_000 * Math.min(seconds(req, "wait"), maxWaitS);
      const asked = closeRequest(await readJsonObject(req, res, dependencies));
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
        await within(Promise.race([closed, once(res, "close")]), waitMs);
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
