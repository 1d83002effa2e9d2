import type { CreateTableBuilder, RawBuilder } from "kysely";

/** What schema and queries cannot say alike for every database. One of these per database. */
export interface StoreDialect {
  /** Adds the primary key `id`, whose values the database makes, each larger than those before. */
  addIncreasingId<Table extends string>(
    table: CreateTableBuilder<Table>,
  ): CreateTableBuilder<Table, "id">;

  /** A number inside `meta_json`; null where there is none or where the text is no JSON. */
  metaNumber(key: "prompt_tokens" | "completion_tokens" | "status_code"): RawBuilder<number | null>;
}
