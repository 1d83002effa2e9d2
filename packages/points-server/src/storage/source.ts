import type { Database, Query, QueryRunner } from "@proj/database";
import type { QuerySource } from "@proj/database/queries";
import type { CreateTableBuilder } from "kysely";
import type { PointsTables } from "./schema.ts";

export type PointsSource = QuerySource<PointsTables, PointsDialect>;

/** What the schema cannot say alike for every database. */
export interface PointsDialect {
  /** Rows are read in the order of the primary key, and are to be kept in it where the database can. */
  keepInKeyOrder<Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ): CreateTableBuilder<Table, Column>;
}

export type PointsDatabase = Database<PointsSource>;
/** It may be a transaction. */
export type PointsRunner = QueryRunner<PointsSource>;
export type PointsQuery<Row> = Query<PointsSource, Row>;
