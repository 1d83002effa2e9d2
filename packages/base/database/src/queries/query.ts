import type { Compilable } from "@proj/database/kysely";

/**
 * A query, written once for all databases. Each database compiles it when it first runs it, because building and
 * compiling cost ten times as much as running.
 *
 * `Source` is what a package builds its queries from: a query builder for its tables, and the parts that differ between
 * its databases.
 */
export interface Query<Source, Row> {
  readonly compile: (source: Source) => CompiledQuery<Row>;
}

export interface CompiledQuery<Row> {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Used only by the type checker. */
  readonly row?: Row;
}

/** @param build called once for each database */
export function query<Source, Row>(build: (source: Source) => Compilable<Row>): Query<Source, Row> {
  return {
    compile(source) {
      const { sql, parameters } = build(source).compile();
      return { sql, parameters };
    },
  };
}

/** A query that every database accepts as written. */
export function statement<Row = unknown>(sql: string): Query<unknown, Row> {
  const compiled: CompiledQuery<Row> = { sql, parameters: [] };
  return { compile: () => compiled };
}

/** By the names of the query's parameters, or as a list in the order of its SQL. */
export type QueryValues = Readonly<Record<string, QueryValue>> | readonly QueryValue[];
export type QueryValue = SingleValue | Uint8Array | readonly SingleValue[];
type SingleValue = string | number | null;

/** The placeholder in a compiled query for a value that is known only when the query runs. */
export class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A query's values in the order of its SQL. Constants among its parameters stay unchanged. */
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
