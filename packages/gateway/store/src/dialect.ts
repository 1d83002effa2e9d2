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

/** An open database, for queries. */
export type StoreQueries = Queries<StoreSource>;
/** Runs queries; it may be a transaction. */
export type StoreRunner = QueryRunner<StoreSource>;

/** The parts of schema and queries that differ between databases. Each database has one. */
export interface StoreDialect {
  /** Adds the primary key `id`; the database generates its values, each larger than all before. */
  addIncreasingId<Table extends string>(
    table: CreateTableBuilder<Table>,
  ): CreateTableBuilder<Table, "id">;

  /** How payloads are stored: none is changed on the way in or out. */
  storePlainly(db: Kysely<StoreTables>, table: string, columns: readonly string[]): Compilable[];

  /** Skips rows that another transaction has locked, in a database where several can run at once. */
  skipLocked<Tables, Table extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Table, Row>,
  ): SelectQueryBuilder<Tables, Table, Row>;

  /** Holds the rows that a query finds until the end of the transaction. */
  lockRows<Tables, Table extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Table, Row>,
  ): SelectQueryBuilder<Tables, Table, Row>;

  /**
   * Makes the view `session_steps`, which shows each row of a table or view whole and lets rewards be updated. It
   * replaces an earlier one.
   */
  viewOfWholeSteps(steps: "stored_steps" | "unfolded_steps"): Compilable[];
  /** Creates the view `unfolded_steps`. */
  viewOfUnfoldedSteps(): Compilable;

  /** Creates triggers that keep `job_counts`, also when another program changes attempts. */
  keepJobCounts(): Compilable[];

  /** The strings of a JSON list, as the rows of a sub-select. */
  stringsOf(json: RawBuilder<string>): RawBuilder<string>;

  /** The database's current time, in the form of all stored times. */
  now(): RawBuilder<string>;

  /** The bytes of a text: as bytes, or as a string if the database returns only strings. */
  bytesOf(column: "messages"): RawBuilder<Uint8Array | string | null>;

  /**
   * A number in `meta_json`: a member, or a member of a member; null if there is none or the text is not JSON.
   */
  metaNumber(
    key:
      | "prompt_tokens"
      | "completion_tokens"
      | "cost_nano_usd"
      | "status_code"
      | "budget_returned"
      | "unpriced"
      | "held_tokens"
      | "held_nano_usd"
      | "replayed_from.step_id",
  ): RawBuilder<number | null>;
}
