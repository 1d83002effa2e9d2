import type { Queries, QueryRunner } from "@proj/database";
import type {
  Compilable,
  CreateTableBuilder,
  Kysely,
  RawBuilder,
  SelectQueryBuilder,
} from "@proj/database/kysely";
import type { QuerySource } from "@proj/database/queries";
import type { StoreTables } from "./schema.ts";

export type StoreSource = QuerySource<StoreTables, StoreDialect>;

/** An open database as queries see it. */
export type StoreQueries = Queries<StoreSource>;
/** It may be a transaction. */
export type StoreRunner = QueryRunner<StoreSource>;

/** What schema and queries cannot say alike for every database. One of these per database. */
export interface StoreDialect {
  /** Adds the primary key `id`, whose values the database makes, each larger than those before. */
  addIncreasingId<Table extends string>(
    table: CreateTableBuilder<Table>,
  ): CreateTableBuilder<Table, "id">;

  /** How payloads are kept: none is changed on its way into the table or out of it. */
  storePlainly(db: Kysely<StoreTables>, table: string, columns: readonly string[]): Compilable[];

  /**
   * Leaves out rows that another transaction has in its hands, where several can be at work at once.
   */
  skipLocked<Tables, Table extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Table, Row>,
  ): SelectQueryBuilder<Tables, Table, Row>;

  /**
   * Makes the view `session_steps`, in which each row of `stored_steps` is whole and rewards can be
   * updated, or replaces the one there is.
   */
  viewOfWholeSteps(): Compilable[];

  /** The database's own time, in the form of all times. */
  now(): RawBuilder<string>;

  /** The bytes of a text: as they are, or as a string where the database gives nothing but strings. */
  bytesOf(column: "messages"): RawBuilder<Uint8Array | string | null>;

  /** A number inside `meta_json`, of a member or of a member's member; null where there is none or where the text is not JSON. */
  metaNumber(
    key:
      | "prompt_tokens"
      | "completion_tokens"
      | "cost_nano_usd"
      | "status_code"
      | "budget_returned"
      | "replayed_from.step_id",
  ): RawBuilder<number | null>;
}
