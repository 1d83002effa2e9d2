import type { SessionForkBody, SessionListItem, SessionStatusBody } from "@proj/gateway-protocol";
import type { Session } from "./session.ts";
import { type Budgets, useOf } from "./session-budget.ts";

export function listItem(session: Session): SessionListItem {
  return {
    session_id: session.session_id,
    status: session.status,
    created_at: isoTime(session.createdAt),
    last_seen_at: isoTime(session.lastSeenAt),
    in_flight: session.inFlight,
  };
}

export function statusBody(session: Session, budgets: Budgets): SessionStatusBody {
  const { max_steps, max_tokens, max_cost_usd } = budgets;
  const { environment, closedAt } = session;
  return {
    session_id: session.session_id,
    status: session.status,
    environment:
      environment === null
        ? null
        : {
            job_id: environment.job_id,
            simulation_id: environment.simulation_id,
            attempt: environment.attempt,
            env_name: environment.env_name,
            group_id: environment.group_id,
            status: environment.status,
          },
    created_at: isoTime(session.createdAt),
    last_seen_at: isoTime(session.lastSeenAt),
    closed_at: closedAt === null ? null : isoTime(closedAt),
    close: session.closeRecord,
    in_flight: session.inFlight,
    models: Object.fromEntries(
      [...session.models].map(([model, tally]) => [model, tally.toStatusBody()]),
    ),
    ...useOf(session),
    max_steps,
    max_tokens,
    max_cost_usd,
    fork: forkBody(session),
  };
}

function forkBody({ fork, models }: Session): SessionForkBody | null {
  if (fork === null) return null;
  const { from_session_id: from, model, step, mode, ignore } = fork;
  const replayed_steps = [...models.values()].reduce((sum, { replayed }) => sum + replayed, 0);
  return { from, model, step, mode, ignore, replayed_steps };
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
