import { type QueryRunner, statement } from "@proj/database";
import { lastClosedAtSql, reopenSessionSql } from "../queries/sessions/closes.ts";
import type { SessionBinding } from "../store.ts";
import { type GatewayMark, WentBackError } from "./gateway-mark.ts";

interface OwnerRow extends SessionBinding {
  readonly session_id: string;
}

/** A new owner gets the next epoch; the current one keeps its own. */
const nextEpoch = "owner.epoch + (owner.gateway_id <> excluded.gateway_id)::int";

// In the order of the ids, so that two gateways that take the same sessions cannot deadlock.
const bindSessions = statement<OwnerRow>(`
  insert into session_owners as owner (session_id, gateway_id, epoch)
  select session_id, $2, 1 from unnest($1::text[]) session_id
  where exists (select from gateway_marks where gateway_id = $2 and mark >= $3) order by session_id
  on conflict (session_id) do update set gateway_id = excluded.gateway_id, epoch = ${nextEpoch}
  returning session_id, epoch, closed_at, ${lastClosedAtSql("owner")} as last_closed_at`);

const closeSession = statement(`
  insert into session_owners as owner (session_id, gateway_id, epoch, closed_at)
  values ($1, $2, 1, $3)
  on conflict (session_id) do update set gateway_id = excluded.gateway_id, epoch = ${nextEpoch},
    closed_at = coalesce(owner.closed_at, excluded.closed_at)`);

const readBindings = statement<OwnerRow & { readonly mark: number | null }>(`
  select session_id, epoch, closed_at, ${lastClosedAtSql("session_owners")} as last_closed_at,
    (select mark from gateway_marks where gateway_id = $2) as mark
  from session_owners where session_id = any($1::text[])`);

const reopenSession = statement(reopenSessionSql("$1"));

/** One gateway's claim on sessions: `session_owners` says which epoch's rows count. */
export class SessionOwners {
  readonly #mark: GatewayMark;

  constructor(mark: GatewayMark) {
    this.#mark = mark;
  }

  async bind(runner: QueryRunner<unknown>, session_id: string): Promise<SessionBinding> {
    const binding = (await this.bindAll(runner, [session_id])).get(session_id);
    if (binding === undefined) throw new Error("A statement that inserts or updates has its row.");
    return binding;
  }

  async bindAll(
    runner: QueryRunner<unknown>,
    session_ids: readonly string[],
  ): Promise<ReadonlyMap<string, SessionBinding>> {
    const { gateway_id, acknowledged } = this.#mark;
    const values = [[...new Set(session_ids)], gateway_id, acknowledged];
    const { rows } = await runner.run(bindSessions, values);
    if (rows.length === 0) throw new WentBackError();
    return new Map(rows.map((row) => [row.session_id, withoutId(row)]));
  }

  /**
   * Reads bindings without changing them; sessions that nobody has bound are left out.
   * @throws WentBackError
   */
  async read(
    runner: QueryRunner<unknown>,
    session_ids: readonly string[],
  ): Promise<ReadonlyMap<string, SessionBinding>> {
    const { gateway_id, acknowledged } = this.#mark;
    const { rows } = await runner.run(readBindings, [session_ids, gateway_id]);
    return new Map(
      rows.map(({ mark, ...row }) => {
        if (mark === null || mark < acknowledged) throw new WentBackError();
        return [row.session_id, withoutId(row)];
      }),
    );
  }

  async close(runner: QueryRunner<unknown>, session_id: string): Promise<void> {
    await runner.run(closeSession, [session_id, this.#mark.gateway_id, new Date().toISOString()]);
  }

  async reopen(runner: QueryRunner<unknown>, session_id: string): Promise<void> {
    await runner.run(reopenSession, [session_id]);
  }
}

const withoutId = ({ session_id: _, ...binding }: OwnerRow): SessionBinding => binding;
