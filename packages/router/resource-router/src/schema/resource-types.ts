import type { Problem } from "../answer/problem.ts";
import type { Reply } from "../answer/reply.ts";
import type { InputOf, OutputOf } from "./standard-schema.ts";

/** What a client sends to an operation: the input of its body's schema. */
export type BodyOf<F> = F extends { readonly schemas: { readonly body: infer S } }
  ? InputOf<S>
  : unknown;

/** What a client gets from an operation: by its result's schema, or else its return type. */
export type ResultOf<F> = F extends { readonly schemas: { readonly result: infer S } }
  ? OutputOf<S>
  : F extends (...given: never[]) => infer R
    ? Sent<Awaited<R>>
    : unknown;

type Sent<R> = R extends Error | Problem | null | undefined
  ? never
  : R extends Reply<infer Body>
    ? Exclude<Body, undefined>
    : R;
