import { setTimeout as delay } from "node:timers/promises";
import type { SignedScope } from "@proj/gateway-protocol";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Session } from "../session/session.ts";
import { answerOf, goneSignal } from "./control-answer.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import type { SessionEndpoint } from "./session-endpoint.ts";
import { SessionFollower } from "./session-follower.ts";

/** Interval between two reads of a session for one follower, in milliseconds. */
const lookEveryMs = 400;
/** Followers at the same time, over all sessions and of one session. */
const maxFollowers = 100;
const maxOfSession = 10;

/**
 * `GET {session}/live`: server-sent events. `status` is the session's (null: not in memory), `running` lists
 * the calls in flight with their answers so far, and `rows` those stored since the last event; with
 * `Last-Event-ID`, since the event with that id.
 */
export function liveEndpoint(dependencies: ControlDependencies): SessionEndpoint {
  // Agents take no place of an operator's.
  const [operators, agents] = [new Followers(), new Followers()];
  return {
    method: "GET",
    opensToSessionKey: true,
    serve: async (session_id, req, res, { scope, share }) => {
      const followers = scope === null ? operators : agents;
      followers.checkRoom(session_id);
      const { headers, request_id } = answerOf(res);
      const type = ["content-type", "text/event-stream", "x-request-id", request_id];
      res.writeHead(200, [...type, ...headers]);
      if (req.method === "HEAD") return void res.end();
      const lease = share?.buffered.lease() ?? null;
      const gone = goneSignal(res);
      const follower = new SessionFollower(dependencies, {
        session_id,
        isForAgent: scope !== null,
        after: rowIdOf(req.headers["last-event-id"]),
        turn: (read) =>
          scope === null ? read() : dependencies.agentReads.take(session_id, gone, read),
        send: (text) => {
          lease?.grow(Buffer.byteLength(text));
          res.write(text);
        },
      });
      const { caller_stall_s } = dependencies.config.timeouts;
      let readAt = performance.now();
      const mayFollow = (): boolean =>
        !res.closed &&
        dependencies.readiness.status !== "draining" &&
        (scope === null || isStillOpenTo(scope, dependencies.registry.find(session_id)));
      followers.change(session_id, 1);
      try {
        while (mayFollow()) {
          // Nothing is queued for a slow reader: it misses states in between, but no row.
          if (!res.writableNeedDrain) {
            readAt = performance.now();
            lease?.release();
            if (share === null || share.buffered.hasRoom) await follower.look();
          } else if (performance.now() - readAt > 1_000 * caller_stall_s) res.destroy();
          await delay(lookEveryMs, undefined, { signal: gone }).catch(() => {});
        }
      } finally {
        followers.change(session_id, -1);
        lease?.release();
        res.end();
      }
    },
  };
}

/** Whether the key would still be accepted. */
function isStillOpenTo({ expires_at, issued_at }: SignedScope, session: Session | null): boolean {
  if (expires_at !== undefined && Date.now() >= 1_000 * expires_at) return false;
  // Only keys that say when they were made end with a close.
  if (session === null || issued_at === undefined) return true;
  return session.status !== "closed" && session.keys.isOpen(issued_at);
}

class Followers {
  readonly #ofSession = new Map<string, number>();
  #all = 0;

  /** @throws GatewayError overloaded */
  checkRoom(session_id: string): void {
    const own = this.#ofSession.get(session_id) ?? 0;
    if (this.#all < maxFollowers && own < maxOfSession) return;
    throw new GatewayError("overloaded", "Too many callers are following sessions. Try again.", {
      retryAfterMs: 5_000,
    });
  }

  change(session_id: string, by: 1 | -1): void {
    this.#all += by;
    const own = (this.#ofSession.get(session_id) ?? 0) + by;
    if (own === 0) this.#ofSession.delete(session_id);
    else this.#ofSession.set(session_id, own);
  }
}

function rowIdOf(header: string | string[] | undefined): number | null {
  return typeof header === "string" && /^\d{1,15}$/.test(header) ? Number(header) : null;
}
