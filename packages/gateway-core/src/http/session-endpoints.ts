import {
  type CleanBody,
  type CloseRequestBody,
  type GatewayConfig,
  type LatestSuccessStepBody,
  parseSessionId,
  type SessionListBody,
  type StepsBody,
} from "@proj/gateway-protocol";
import type { SessionStore } from "@proj/session-store";
import { type Request, type Response, Router } from "express";
import { GatewayError } from "../gateway-error.ts";
import { closeSession } from "../session/close-session.ts";
import type { Session } from "../session/session.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import type { AccessControl } from "./access-control.ts";
import { modelList } from "./model-list.ts";
import { onlyMethods } from "./only-methods.ts";
import { naturalNumber, optionalText, requiredText } from "./query-parameters.ts";
import type { RouteTable } from "./route-table.ts";

export interface SessionEndpointDependencies {
  readonly config: GatewayConfig;
  readonly access: AccessControl;
  readonly registry: SessionRegistry;
  readonly recorder: Recorder;
  readonly store: SessionStore;
  readonly routes: RouteTable;
}

/** The specification's longest useful wait of one close request, in seconds. */
const longestWaitS = 30;

/** What is below `base_session_path`, model traffic aside. */
export function sessionEndpoints(dependencies: SessionEndpointDependencies): Router {
  const { config, access, registry, recorder, store, routes } = dependencies;
  const router = Router({ caseSensitive: true });

  const sessionId = (req: Request, scoped = false): string => {
    const session_id = parseSessionId(rawSegment(req));
    if (session_id === null)
      throw new GatewayError("invalid_session_id", "The path's session id is not one.");
    access.authenticate(req, scoped ? session_id : null);
    return session_id;
  };
  const known = (session_id: string): Session => {
    const session = registry.find(session_id);
    if (session !== null) return session;
    throw new GatewayError(
      "session_not_found",
      `Session '${session_id}' is not in memory here. Its first request, or its close, opens it.`,
    );
  };

  router
    .route("/")
    .get((req, res) => {
      access.authenticate(req, null);
      const limit = naturalNumber(req, "limit", 100, 1_000);
      res.json(listSessions(registry, optionalText(req, "after"), limit));
    })
    .all(onlyMethods("GET", "HEAD"));

  router
    .route("/:session_id")
    .get((req, res) => {
      res.json(known(sessionId(req, true)).toStatusBody(config.max_steps));
    })
    .all(onlyMethods("GET", "HEAD"));

  router
    .route("/:session_id/models")
    .get((req, res) => {
      sessionId(req, true);
      res.json(modelList(routes));
    })
    .all(onlyMethods("GET", "HEAD"));

  router
    .route("/:session_id/close")
    .post(async (req, res) => {
      const session_id = sessionId(req);
      const { reason, mode } = closeRequest(req.body);
      const waitMs = 1_000 * naturalNumber(req, "wait", 0, longestWaitS);
      // A gateway that was restarted knows nothing of the session, and must not strand its launcher.
      const session = registry.find(session_id) ?? (await registry.open(session_id));
      const closed = closeSession(session, recorder, {
        reason,
        mode,
        timeoutMs: 1_000 * config.session_close_timeout_s,
        flushTimeoutMs: 1_000 * config.telemetry.write_timeout_s,
      });
      const body = session.toStatusBody(config.max_steps);
      if (waitMs > 0) await closedOrGone(closed, waitMs, res);
      const answered = waitMs > 0 ? session.toStatusBody(config.max_steps) : body;
      if (answered.status !== "closed")
        res.setHeader("retry-after", String(config.session_close_retry_after_s));
      res.json(answered);
    })
    .all(onlyMethods("POST"));

  router
    .route("/:session_id/clean")
    .post((req, res) => {
      const session_id = sessionId(req);
      res.json({ session_id, cleaned: registry.clean(session_id) } satisfies CleanBody);
    })
    .all(onlyMethods("POST"));

  router
    .route("/:session_id/latest-success-step")
    .get(async (req, res) => {
      const session_id = sessionId(req);
      const model = requiredText(req, "model");
      const inMemory = registry.find(session_id)?.models.get(model)?.latest_success_step ?? null;
      const step_id =
        inMemory ?? (await readStorage(store.readLatestSuccessStep(session_id, model)));
      res.json({ session_id, model, step_id } satisfies LatestSuccessStepBody);
    })
    .all(onlyMethods("GET", "HEAD"));

  router
    .route("/:session_id/steps")
    .get(async (req, res) => {
      const session_id = sessionId(req);
      const page = await readStorage(
        store.readSteps({
          session_id,
          model: optionalText(req, "model"),
          after: naturalNumber(req, "after", 0, Number.MAX_SAFE_INTEGER),
          limit: naturalNumber(req, "limit", 100, 1_000),
        }),
      );
      res.json(page satisfies StepsBody);
    })
    .all(onlyMethods("GET", "HEAD"));

  return router;
}

/** Express decodes what it matched; the rule of session ids is about the segment as it was sent. */
function rawSegment(req: Request): string {
  const path = req.originalUrl.slice(req.baseUrl.length + 1);
  const end = path.search(/[/?]/);
  return end < 0 ? path : path.slice(0, end);
}

function closeRequest(body: unknown): { reason: string | null; mode: "drain" | "abort" } {
  // No body at all is read as an empty object or as nothing, by the parser's version.
  const { reason, mode } = (
    typeof body === "object" && body !== null ? body : {}
  ) as CloseRequestBody;
  if (reason !== undefined && (typeof reason !== "string" || reason.length > 1_000))
    throw new GatewayError(
      "invalid_request",
      "'reason' must be a string of at most 1000 characters.",
      {
        param: "reason",
      },
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

async function readStorage<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw new GatewayError("storage_unavailable", "The storage cannot be read. Try again.", {
      cause: error,
      retryAfterMs: 1_000,
    });
  }
}

function listSessions(
  registry: SessionRegistry,
  after: string | undefined,
  limit: number,
): SessionListBody {
  // By id, so that a page does not depend on what was used since the one before.
  const ids = [...registry.all()].map((session) => session.session_id).sort();
  const start = after === undefined ? 0 : ids.findIndex((id) => id > after);
  const page = start < 0 ? [] : ids.slice(start, start + limit);
  const sessions = page.flatMap((id) => registry.find(id)?.toListItem() ?? []);
  const more = start >= 0 && start + limit < ids.length;
  return { sessions, next_after: more ? (page.at(-1) ?? null) : null };
}
