import { setTimeout as delay } from "node:timers/promises";
import { GatewayError } from "../errors/gateway-error.ts";
import { answerOf } from "./control-answer.ts";
import type { Readiness } from "./readiness.ts";
import type { SessionEndpoint } from "./session-endpoint.ts";
import { type FollowDependencies, SessionFollower } from "./session-follower.ts";

export interface LiveDependencies extends FollowDependencies {
  readonly readiness: Readiness;
}

/** Interval between two reads of a session for one follower, in milliseconds. */
const lookEveryMs = 400;
/** Followers at the same time, over all sessions and of one session, whose agent may hold its key. */
const mostFollowers = 100;
const mostOfSession = 10;

/**
 * `GET {session}/live`: server-sent events. `status` is the session's (null: not in memory), `running` lists
 * the calls in flight with their answers so far, and `rows` those stored since the last event; with
 * `Last-Event-ID`, since the event with that id.
 */
export function liveEndpoint(dependencies: LiveDependencies): SessionEndpoint {
  const followers = new Map<string, number>();
  let all = 0;
  return {
    method: "GET",
    opensToSessionKey: true,
    serve: async (session_id, req, res, { scope }) => {
      const own = followers.get(session_id) ?? 0;
      if (all >= mostFollowers || own >= mostOfSession)
        throw new GatewayError(
          "overloaded",
          "Too many callers are following sessions. Try again.",
          {
            retryAfterMs: 5_000,
          },
        );
      const { headers, request_id } = answerOf(res);
      const type = ["content-type", "text/event-stream", "x-request-id", request_id];
      res.writeHead(200, [...type, ...headers]);
      if (req.method === "HEAD") return void res.end();
      const gone = new AbortController();
      res.once("close", () => gone.abort());
      const follower = new SessionFollower(dependencies, {
        session_id,
        isForAgent: scope !== null,
        after: rowIdOf(req.headers["last-event-id"]),
        send: (text) => void res.write(text),
      });
      all += 1;
      followers.set(session_id, own + 1);
      try {
        while (!res.closed && dependencies.readiness.status !== "draining") {
          // Nothing is queued for a slow reader: it misses states in between, but no row.
          if (!res.writableNeedDrain) await follower.look();
          await delay(lookEveryMs, undefined, { signal: gone.signal }).catch(() => {});
        }
      } finally {
        all -= 1;
        const left = (followers.get(session_id) ?? 1) - 1;
        if (left === 0) followers.delete(session_id);
        else followers.set(session_id, left);
        res.end();
      }
    },
  };
}

function rowIdOf(header: string | string[] | undefined): number | null {
  return typeof header === "string" && /^\d{1,15}$/.test(header) ? Number(header) : null;
}
