import { Ajv2020, type DefinedError, type ValidateFunction } from "ajv/dist/2020.js";
import { ConfigError, type ConfigIssue, unplacedIssue } from "./config-error.ts";
import type { ConfigFormat } from "./config-format.ts";
import { type ConfigYaml, readConfigYaml } from "./config-yaml.ts";
import { describeSchemaError } from "./describe-schema-error.ts";
import { FoundValues } from "./found-values.ts";
import { formatKeyPath, toPointer } from "./key-path.ts";
import { readConfigText } from "./read-config-text.ts";
import { type PathIssue, resolveReferences } from "./references.ts";
import type { Environment } from "./substitution.ts";

/** Reads configuration files of one format. `F` is the type that its schema describes, with defaults filled in. */
export class ConfigReader<F> {
  readonly #format: ConfigFormat;
  #compiled: ValidateFunction<F> | undefined;

  constructor(format: ConfigFormat) {
    this.#format = format;
  }

  /** @throws ConfigError lists everything that is wrong with the file */
  load(path: string, env: Environment = process.env): F {
    return this.parse(readConfigText(path), path, env);
  }

  /** @param source names the text in errors. @throws ConfigError */
  parse(text: string, source: string, env: Environment = process.env): F {
    const { secrets = [], whenEmpty = "is empty", rules } = this.#format;
    const yaml = readConfigYaml(text, source);
    if (yaml.value === null) throw new ConfigError(source, [unplacedIssue(whenEmpty)]);
    const references = resolveReferences(yaml.value, env, secrets);
    const values = new FoundValues(references.variables, secrets);
    this.#restoreExpectedText(yaml.value, references.restoreText);
    const invalid = this.#errorsOf(yaml.value)
      .map((error) => describeSchemaError(error, this.#format, values))
      .filter((issue) => issue !== null);
    const contradictory = [...(rules?.(yaml.value, values) ?? [])];

    const issues = withoutFollowing(references.issues, withoutFollowing(invalid, contradictory));
    const located = [...yaml.repeated, ...locateIssues(issues, yaml)].sort(byPosition);
    if (located.length === 0 && this.#validator()(yaml.value)) return yaml.value;
    throw new ConfigError(source, located);
  }

  /** Compiling takes milliseconds, which only programs that load a configuration should spend. */
  #validator(): ValidateFunction<F> {
    if (this.#compiled !== undefined) return this.#compiled;
    const ajv = new Ajv2020({
      allErrors: true,
      useDefaults: true,
      // Errors carry the value and the schema, which their messages need.
      verbose: true,
      allowUnionTypes: true,
      discriminator: true,
      keywords: ["meant", "expected"],
    });
    for (const [name, check] of Object.entries(this.#format.formats ?? {}))
      ajv.addFormat(name, { type: "string", validate: (value) => check(value) === null });
    this.#compiled = ajv.compile<F>(this.#format.schema);
    return this.#compiled;
  }

  /** The errors of the data; fills in every default that its place allows, in place. */
  #errorsOf(data: unknown): readonly DefinedError[] {
    const validate = this.#validator();
    return validate(data) ? [] : ((validate.errors ?? []) as DefinedError[]);
  }

  /** Keeps text from the environment as a string if only a string is expected, whatever it looks like. */
  #restoreExpectedText(data: unknown, restoreText: ReadonlyMap<string, () => void>): void {
    if (restoreText.size === 0) return;
    for (const { keyword, instancePath, params } of this.#errorsOf(data)) {
      if (keyword !== "type" || !String(params.type).split(",").includes("string")) continue;
      restoreText.get(instancePath)?.();
    }
  }
}

/** All issues, except later ones about a value that an earlier issue concerns. */
function withoutFollowing(
  issues: readonly PathIssue[],
  later: readonly PathIssue[],
): readonly PathIssue[] {
  const concerned = new Set(issues.map(({ path }) => toPointer(path)));
  return [...issues, ...later.filter(({ path }) => !concerned.has(toPointer(path)))];
}

const locateIssues = (issues: readonly PathIssue[], yaml: ConfigYaml): ConfigIssue[] =>
  issues.map(({ path, message }) => ({ path: formatKeyPath(path), message, ...yaml.locate(path) }));

const byPosition = (a: ConfigIssue, b: ConfigIssue): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
