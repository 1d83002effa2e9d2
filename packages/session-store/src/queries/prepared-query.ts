import { type Compilable, type Kysely, type RawBuilder, sql } from "kysely";
import type { StoreDialect } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";

/** What queries are made from: a builder that runs nothing itself, and the database that does. */
export interface QuerySource {
  readonly db: Kysely<StoreTables>;
  readonly dialect: StoreDialect;
  readonly prepare: PrepareQuery;
}

/** Building and compiling a query costs ten times what running it does: both happen once. */
export type PrepareQuery = <Row>(query: Compilable<Row>) => PreparedQuery<Row>;

/** The values are those of the query's parameters, by their names. */
export type PreparedQuery<Row> = (values: QueryValues) => Promise<readonly Row[]>;

export type QueryValues = Readonly<Record<string, QueryValue>>;
type QueryValue = string | number | null;

class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Stands in a query for a value that is known only when it runs. */
export function parameter<Value extends QueryValue>(name: string): RawBuilder<Value> {
  return sql<Value>`${new Parameter(name)}`;
}

/** The values of a compiled query, in the order of its SQL. Constants among them stay what they are. */
export function bindValues(parameters: readonly unknown[], values: QueryValues): unknown[] {
  return parameters.map((value) => {
    if (!(value instanceof Parameter)) return value;
    const given = values[value.name];
    if (given === undefined) throw new TypeError(`the query needs a value for ${value.name}`);
    return given;
  });
}
