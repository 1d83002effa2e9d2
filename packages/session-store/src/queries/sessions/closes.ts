/** A session that is closed, and when that was. */
export interface ClosedSession {
  readonly session_id: string;
  readonly closed_at: string;
}

/** For a database that one gateway has: nobody else's epoch has to end. */
export const closeSessionSql = (session_id: string, closed_at: string): string => `
  insert into session_owners (session_id, gateway_id, epoch, closed_at)
  values (${session_id}, '', 0, ${closed_at})
  on conflict (session_id) do update
    set closed_at = coalesce(session_owners.closed_at, excluded.closed_at)`;

/** A statement for all databases, but for the name of its parameter. */
export const reopenSessionSql = (session_id: string): string => `
  update session_owners
  set last_closed_at = ${lastClosedAtSql("session_owners")}, closed_at = null
  where session_id = ${session_id}`;

/** The column is of the close before the one that holds. */
export const lastClosedAtSql = (owners: string): string =>
  `coalesce(${owners}.closed_at, ${owners}.last_closed_at)`;
