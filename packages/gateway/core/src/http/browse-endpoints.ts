import type { GatewayConfig } from "@proj/gateway-protocol";
import {
  type BegunSession,
  type FindLive,
  type LiveState,
  QueryError,
  rows,
  sessionTools,
  storedSessions,
  summary,
} from "@proj/session-store/answers";
import type { Request, Response } from "express";
import { GatewayError } from "../errors/gateway-error.ts";
import { readStorage } from "../session/read-storage.ts";
import type { Session } from "../session/session.ts";
import { goneSignal, sendJson, sendText } from "./control-answer.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import { rowsForAgent } from "./row-for-agent.ts";
import type { SessionEndpoint } from "./session-endpoint.ts";

/**
 * `GET {base_session_path}?stored=true`: a page of the sessions in storage, with the state of those in
 * memory.
 */
export async function listStored(
  dependencies: ControlDependencies,
  req: Request,
  res: Response,
): Promise<void> {
  const { browser } = dependencies.store;
  const [live, begun] = [liveIn(dependencies), begunIn(dependencies)];
  sendJson(res, await browsing(storedSessions(browser, queryOf(req), live, begun)));
}

/** `GET {session}/summary` */
export function summaryEndpoint(dependencies: ControlDependencies): SessionEndpoint {
  return {
    method: "GET",
    // It shows what the simulation is scored by.
    opensToSessionKey: false,
    serve: async (session_id, _req, res) => {
      const { browser } = dependencies.store;
      const body = await browsing(summary(browser, session_id, liveIn(dependencies)));
      if (body === null)
        throw new GatewayError(
          "session_not_found",
          `Nothing is stored for session '${session_id}' yet.`,
        );
      sendJson(res, body);
    },
  };
}

/** `GET {session}/tools` */
export function toolsEndpoint({ store }: ControlDependencies): SessionEndpoint {
  return {
    method: "GET",
    // It reads every row.
    opensToSessionKey: false,
    serve: async (session_id, _req, res) =>
      sendJson(res, await browsing(sessionTools(store.browser, session_id))),
  };
}

/** `GET {session}/rows?after=&limit=&payload=`: rows as stored, with histories as differences. */
export function rowsEndpoint({ store, agentReads }: ControlDependencies): SessionEndpoint {
  return {
    method: "GET",
    opensToSessionKey: true,
    serve: async (session_id, req, res, { share }) => {
      const read = () => browsing(rows(store.browser, session_id, queryOf(req)));
      if (share === null) sendJson(res, await read());
      else {
        await agentReads.take(session_id, goneSignal(res), async () => {
          share.buffered.checkRoom(0);
          const text = JSON.stringify(rowsForAgent(await read()));
          const lease = share.buffered.lease();
          lease.grow(Buffer.byteLength(text));
          res.once("close", () => lease.release());
          sendText(res, "application/json", text);
        });
      }
    },
  };
}

/** @throws GatewayError invalid_request, storage_unavailable */
export async function browsing<Body>(answer: Promise<Body>): Promise<Body> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof QueryError)) return readStorage(answer);
    throw new GatewayError("invalid_request", error.message, { cause: error });
  }
}

export const queryOf = (req: Request): URLSearchParams =>
  new URL(req.url, "http://localhost").searchParams;

function liveIn({ config, registry }: ControlDependencies): FindLive {
  return (session_id) => {
    const session = registry.find(session_id);
    return session === null ? null : liveState(session, config);
  };
}

const liveState = ({ status, inFlight }: Session, { max_steps }: GatewayConfig): LiveState => ({
  status,
  in_flight: inFlight,
  max_steps,
});

/** How many sessions without a row one answer names. */
const maxBegun = 50;

/** Sessions all of whose steps are in flight. */
function begunIn({ config, registry }: ControlDependencies): readonly BegunSession[] {
  const begun: BegunSession[] = [];
  for (const session of registry.all()) {
    if (begun.length === maxBegun) break;
    const { session_id, models, inFlight, createdAt } = session;
    if (inFlight === 0) continue;
    const steps = [...models.values()].reduce((sum, tally) => sum + tally.steps, 0);
    if (steps > inFlight) continue;
    const created_at = new Date(createdAt).toISOString();
    begun.push({
      ...{ session_id, models: [...models.keys()], created_at },
      live: liveState(session, config),
    });
  }
  return begun;
}
