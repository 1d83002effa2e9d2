/** The type of a key that the database keeps the rows by: in SQLite only an `integer` is. */
export type RowKeyType = "integer" | "bigint";
