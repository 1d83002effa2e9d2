import type { CreateTableBuilder } from "kysely";

/** What the schema cannot say alike for every database. */
export interface StoreDialect {
  /** Rows are read in the order of the primary key, and are to be kept in it where the database can. */
  keepInKeyOrder<Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ): CreateTableBuilder<Table, Column>;
}
