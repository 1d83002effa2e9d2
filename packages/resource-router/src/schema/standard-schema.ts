/**
 * What is used of a schema of any library that implements Standard Schema (https://standardschema.dev),
 * version 1; and of Standard JSON Schema, for OpenAPI.
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

export type JsonSchema = Record<string, unknown>;

export type Validation<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

export interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type TypesOf<S extends StandardSchema> = NonNullable<S["~standard"]["types"]>;

/** What a schema takes. */
export type InputOf<S> = S extends StandardSchema ? TypesOf<S>["input"] : unknown;

/** What a schema makes of it. */
export type OutputOf<S> = S extends StandardSchema ? TypesOf<S>["output"] : unknown;
