import type { CloseBody, GatewayConfig } from "@proj/gateway-protocol";
import type { SessionStore } from "@proj/session-store";
import type { Response } from "express";
import { GatewayError } from "../gateway-error.ts";
import { type CloseOptions, closeSession } from "../session/close-session.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import type { BufferedBytes } from "./buffered-bytes.ts";
import { answerOf, sendJson } from "./control-answer.ts";
import { readJsonObject } from "./json-body.ts";
import { seconds } from "./query-parameters.ts";
import type { SessionEndpoint } from "./session-endpoint.ts";

export interface CloseDependencies {
  readonly config: GatewayConfig;
  readonly registry: SessionRegistry;
  readonly recorder: Recorder;
  readonly store: SessionStore;
  readonly buffered: BufferedBytes;
}

/** The longest useful wait of one close request, in seconds. */
const longestWaitS = 30;
const longestReason = 1_000;

/** `POST {session}/close?wait=` */
export function closeEndpoint(dependencies: CloseDependencies): SessionEndpoint {
  const { config, registry, recorder, store, buffered } = dependencies;
  const idleMs = 1_000 * config.timeouts.caller_body_idle_s;
  return {
    method: "POST",
    opensToSessionKey: false,
    serve: async (session_id, req, res) => {
      const waitMs = 1_000 * Math.min(seconds(req, "wait"), longestWaitS);
      const asked = closeRequest(await readJsonObject({ req, res }, idleMs, buffered));
      // A gateway that was restarted knows nothing of the session, and must not strand its launcher.
      const session = registry.find(session_id) ?? (await registry.open(session_id));
      const closed = closeSession(session, recorder, store, {
        ...asked,
        timeoutMs: 1_000 * config.session_close_timeout_s,
        flushTimeoutMs: 1_000 * config.telemetry.write_timeout_s,
      });
      // Before the first wait, so that the close that begins it says `closing`.
      let body: CloseBody = session.toStatusBody(config.max_steps);
      if (waitMs > 0) {
        await closedOrGone(closed, waitMs, res);
        body = session.toStatusBody(config.max_steps);
      }
      if (body.status !== "closed")
        answerOf(res).headers.push("retry-after", String(config.session_close_retry_after_s));
      sendJson(res, body);
    },
  };
}

/** @throws GatewayError invalid_request */
function closeRequest({
  reason,
  mode,
}: Readonly<Record<string, unknown>>): Pick<CloseOptions, "reason" | "mode"> {
  if (reason !== undefined && (typeof reason !== "string" || reason.length > longestReason))
    throw new GatewayError(
      "invalid_request",
      `'reason' must be a string of at most ${longestReason} characters.`,
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
