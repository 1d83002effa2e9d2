import type { JsonSchema } from "../json-schema/sub-schemas.ts";

/**
 * The parts in use of Standard Schema (https://standardschema.dev), version 1, which many libraries implement; and of
 * Standard JSON Schema, for OpenAPI.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validation<Output> | Promise<Validation<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => JsonSchema;
      readonly output: (options: { readonly target: "draft-2020-12" }) => JsonSchema;
    };
  };
}

export type Validation<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

export interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** An element of an issue's path. */
export function keyOf(segment: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof segment === "object" ? segment.key : segment);
}

type TypesOf<S extends StandardSchema> = NonNullable<S["~standard"]["types"]>;

/** A schema's input type. */
export type InputOf<S> = S extends StandardSchema ? TypesOf<S>["input"] : unknown;

/** A schema's output type. */
export type OutputOf<S> = S extends StandardSchema ? TypesOf<S>["output"] : unknown;
