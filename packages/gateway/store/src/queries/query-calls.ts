import type { StoreQueries } from "../dialect.ts";

/** The calls that functions of this folder answer, with each function's parameter and result. */
export type CallsOf<Functions extends Record<keyof Functions, QueryFunction>> = {
  readonly [Name in keyof Functions]: {
    readonly request: Parameters<Functions[Name]>[1];
    readonly reply: Awaited<ReturnType<Functions[Name]>>;
  };
};

type QueryFunction = (database: StoreQueries, request: never) => Promise<unknown>;

type AnyCalls<Calls> = { readonly [Name in keyof Calls]: { request: unknown; reply: unknown } };

/** The functions that answer these calls. */
export type CallFunctions<Calls extends AnyCalls<Calls>> = {
  readonly [Name in keyof Calls]: (
    database: StoreQueries,
    request: Calls[Name]["request"],
  ) => Promise<Calls[Name]["reply"]>;
};

/** Makes a call, here or on a thread. */
export type MakeCall<Calls extends AnyCalls<Calls>> = <Name extends keyof Calls>(
  name: Name,
  request: Calls[Name]["request"],
) => Promise<Calls[Name]["reply"]>;

/** A method for each call. One without a request takes no argument. */
type CallMethods<Calls extends AnyCalls<Calls>> = {
  readonly [Name in keyof Calls]: (
    ...request: undefined extends Calls[Name]["request"] ? [] : [Calls[Name]["request"]]
  ) => Promise<Calls[Name]["reply"]>;
};

/** The members of a store that only make calls, whatever its database is. */
export function callsOf<Calls extends AnyCalls<Calls>>(
  functions: CallFunctions<Calls>,
  call: MakeCall<Calls>,
): CallMethods<Calls> {
  const methods: (readonly unknown[])[] = [];
  for (const name in functions) methods.push([name, (request: never) => call(name, request)]);
  return Object.fromEntries(methods);
}

/** The same, with each call made here. */
export const callsOn = <Calls extends AnyCalls<Calls>>(
  functions: CallFunctions<Calls>,
  database: StoreQueries,
): CallMethods<Calls> => callsOf(functions, (name, request) => functions[name](database, request));
