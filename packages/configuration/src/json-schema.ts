/** The part of JSON Schema 2020-12 that configurations' schemas are written in. */
export type JsonSchema = {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: JsonTypeName | readonly JsonTypeName[];
  readonly default?: unknown;
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly minProperties?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly const?: string;
  readonly oneOf?: readonly JsonSchema[];
  /** The member by whose value one of `oneOf` is chosen. */
  readonly discriminator?: { readonly propertyName: string };
  /** Words that people write in place of one of `enum`. */
  readonly meant?: Readonly<Record<string, string>>;
  /** What a `pattern` asks for, in words. */
  readonly expected?: string;
};

export type JsonTypeName =
  | "array"
  | "boolean"
  | "integer"
  | "null"
  | "number"
  | "object"
  | "string";

/** Node's timers fire at once beyond 2^31-1 milliseconds. */
const longestTimerMs = 2_147_483_647;

/** A group of keys. The empty default lets the defaults of its keys apply where it is left out. */
export const section = (
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema => ({
  description,
  type: "object",
  default: {},
  additionalProperties: false,
  properties,
});

export const choice = (
  description: string,
  fallback: string,
  options: readonly string[],
): JsonSchema => ({ description, type: "string", enum: options, default: fallback });

export const flag = (description: string, fallback: boolean): JsonSchema => ({
  description,
  type: "boolean",
  default: fallback,
});

export const integer = (
  description: string,
  fallback: number,
  minimum: number,
  maximum: number = Number.MAX_SAFE_INTEGER,
): JsonSchema => ({ description, type: "integer", minimum, maximum, default: fallback });

/** Fractions allowed, zero too. */
export const seconds = (description: string, fallback: number): JsonSchema => ({
  description,
  type: "number",
  minimum: 0,
  maximum: Math.floor(longestTimerMs / 1000),
  default: fallback,
});

/** Fractions allowed; zero is refused, because it would end everything at once and not wait for ever. */
export const positiveSeconds = (description: string, fallback: number): JsonSchema => ({
  description,
  type: "number",
  exclusiveMinimum: 0,
  maximum: Math.floor(longestTimerMs / 1000),
  default: fallback,
});

export const milliseconds = (description: string, fallback: number): JsonSchema =>
  integer(description, fallback, 0, longestTimerMs);
