/** A closed session, with the time of the close. */
export interface ClosedSession {
  readonly session_id: string;
  readonly closed_at: string;
}

/** For a database with a single gateway: there is no other gateway's epoch to end. */
export const closeSessionSql = (session_id: string, closed_at: string): string => `
  insert into session_owners (session_id, gateway_id, epoch, closed_at)
  values (${session_id}, '', 0, ${closed_at})
  on conflict (session_id) do update
    set closed_at = coalesce(session_owners.closed_at, excluded.closed_at)`;

/** All databases share this statement, except for the name of its parameter. */
export const reopenSessionSql = (session_id: string): string => `
  update session_owners
  set last_closed_at = ${lastClosedAtSql("session_owners")}, closed_at = null
  where session_id = ${session_id}`;

/** If the session is closed, the column `last_closed_at` has the previous close, so the current one goes first. */
export const lastClosedAtSql = (owners: string): string =>
  `coalesce(${owners}.closed_at, ${owners}.last_closed_at)`;
