import type { SessionBinding } from "../store.ts";
import type { QueryRows } from "./connection-pool.ts";

interface OwnerRow extends SessionBinding {
  readonly session_id: string;
}

/** A new owner takes the next epoch; the one there is keeps its own. */
const nextEpoch = "owner.epoch + (owner.gateway_id <> excluded.gateway_id)::int";

// In the order of the ids, so that two gateways that take the same sessions do not wait for each other.
const bindSessions = `
  insert into session_owners as owner (session_id, gateway_id, epoch)
  select session_id, $2, 1 from unnest($1::text[]) session_id order by session_id
  on conflict (session_id) do update set gateway_id = excluded.gateway_id, epoch = ${nextEpoch}
  returning session_id, epoch, closed_at`;

const closeSession = `
  insert into session_owners as owner (session_id, gateway_id, epoch, closed_at)
  values ($1, $2, 1, $3)
  on conflict (session_id) do update set gateway_id = excluded.gateway_id, epoch = ${nextEpoch},
    closed_at = coalesce(owner.closed_at, excluded.closed_at)`;

const reopenSession = "update session_owners set closed_at = null where session_id = $1";

/** One gateway's hold of sessions: `session_owners` says which epoch's rows count. */
export class SessionOwners {
  readonly #gateway_id: string;

  constructor(gateway_id: string) {
    this.#gateway_id = gateway_id;
  }

  async bind(query: QueryRows, session_id: string): Promise<SessionBinding> {
    const binding = (await this.bindAll(query, [session_id])).get(session_id);
    if (binding === undefined) throw new Error("A statement that inserts or updates has its row.");
    return { epoch: binding.epoch, closed_at: binding.closed_at };
  }

  async bindAll(
    query: QueryRows,
    session_ids: readonly string[],
  ): Promise<ReadonlyMap<string, SessionBinding>> {
    const values = [[...new Set(session_ids)], this.#gateway_id];
    const rows = await query<OwnerRow>({ sql: bindSessions, values });
    return new Map(rows.map((row) => [row.session_id, row]));
  }

  async close(query: QueryRows, session_id: string): Promise<void> {
    const values = [session_id, this.#gateway_id, new Date().toISOString()];
    await query({ sql: closeSession, values });
  }

  async reopen(query: QueryRows, session_id: string): Promise<void> {
    await query({ sql: reopenSession, values: [session_id] });
  }
}
