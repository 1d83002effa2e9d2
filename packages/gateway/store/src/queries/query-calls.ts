import type { StoreQueries } from "../dialect.ts";

/** The calls that a thread answers with functions of this folder, with each function's parameter and result. */
export type CallsOf<Functions extends Record<keyof Functions, QueryFunction>> = {
  readonly [Name in keyof Functions]: {
    readonly request: Parameters<Functions[Name]>[1];
    readonly reply: Awaited<ReturnType<Functions[Name]>>;
  };
};

type QueryFunction = (database: StoreQueries, request: never) => Promise<unknown>;

/** The functions that answer these calls. */
export type CallFunctions<
  Calls extends { readonly [Name in keyof Calls]: { request: unknown; reply: unknown } },
> = {
  readonly [Name in keyof Calls]: (
    database: StoreQueries,
    request: Calls[Name]["request"],
  ) => Promise<Calls[Name]["reply"]>;
};
