import { type Compilable, type RawBuilder, sql } from "kysely";

/** A query whose SQL was written once, as building and compiling costs more than running it does. */
export interface StoredQuery<Row> {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Only for the compiler: what its rows are. */
  readonly row?: Row;
}

/** By the names of the query's parameters; or a list in the order of its SQL. */
export type QueryValues = Readonly<Record<string, QueryValue>> | readonly QueryValue[];
export type QueryValue = string | number | null;

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

export function storeQuery<Row>(query: Compilable<Row>): StoredQuery<Row> {
  const compiled = query.compile();
  return { sql: compiled.sql, parameters: compiled.parameters };
}

/** The values of a query in the order of its SQL. Constants among them stay what they are. */
export function bindValues(parameters: readonly unknown[], values: QueryValues): unknown[] {
  if (isList(values)) return [...values];
  return parameters.map((value) => {
    if (!(value instanceof Parameter)) return value;
    const given = values[value.name];
    if (given === undefined) throw new TypeError(`the query needs a value for ${value.name}`);
    return given;
  });
}

function isList(values: QueryValues): values is readonly QueryValue[] {
  return Array.isArray(values);
}
