/** The part of JSON Schema 2020-12 that the schemas of configurations use. */
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
  /** The member whose value selects one of `oneOf`. */
  readonly discriminator?: { readonly propertyName: string };
  /** Words that people write instead of one of `enum`. */
  readonly meant?: Readonly<Record<string, string>>;
  /** What a `pattern` requires, in words. */
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

/** Node's timers fire immediately beyond 2^31-1 milliseconds. */
const maxTimerMs = 2_147_483_647;

/** A group of keys. With the empty default, the defaults of its keys apply if it is left out. */
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

/** Fractions and zero are allowed. */
export const seconds = (description: string, fallback: number): JsonSchema => ({
  description,
  type: "number",
  minimum: 0,
  maximum: Math.floor(maxTimerMs / 1000),
  default: fallback,
});

/** Fractions are allowed; zero is not, because it would end everything immediately instead of waiting forever. */
export const positiveSeconds = (description: string, fallback: number): JsonSchema => ({
  description,
  type: "number",
  exclusiveMinimum: 0,
  maximum: Math.floor(maxTimerMs / 1000),
  default: fallback,
});

export const milliseconds = (description: string, fallback: number): JsonSchema =>
  integer(description, fallback, 0, maxTimerMs);
