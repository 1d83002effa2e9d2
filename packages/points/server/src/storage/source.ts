import type { Database, Query, QueryRunner } from "@proj/database";
import type { CreateTableBuilder } from "@proj/database/kysely";
import type { QuerySource } from "@proj/database/queries";
import type { PointsTables } from "./schema.ts";

export type PointsSource = QuerySource<PointsTables, PointsDialect>;

/** Schema features that differ between the databases. */
export interface PointsDialect {
  /**
   * The collation that orders texts by their bytes. PostgreSQL's own order depends on the database's locale, but ids
   * decide ties.
   */
  readonly byteOrder: string;
  /** Stores the rows in the order of the primary key if the database can, because they are read in that order. */
  keepInKeyOrder<Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ): CreateTableBuilder<Table, Column>;
}

export type PointsDatabase = Database<PointsSource>;
/** A database or a transaction. */
export type PointsRunner = QueryRunner<PointsSource>;
export type PointsQuery<Row> = Query<PointsSource, Row>;
