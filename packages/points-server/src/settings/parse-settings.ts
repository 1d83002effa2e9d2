import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { ProgramError, parseProgram } from "../program/parse-program.ts";
import type { PointsSettings } from "./points-settings.ts";
import { settingsSchema } from "./settings-schema.ts";

/** What is wrong with settings, all of it, each on a line of its own. Holds no secret. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/**
 * Checks settings, and fills in what is not said. `db_url` and `ingest_secret` may each be a
 * reference, `${NAME}`, to a variable of the environment.
 * @throws SettingsError
 */
export function parseSettings(
  value: unknown,
  env: Readonly<Record<string, string | undefined>> = process.env,
): PointsSettings {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new SettingsError("the settings must be a map of names to values");
  const wrong: string[] = [];
  const settings: Record<string, unknown> = structuredClone({ ...value });
  for (const name of ["db_url", "ingest_secret"]) {
    const reference = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(String(settings[name] ?? ""))?.[1];
    if (reference === undefined) continue;
    settings[name] = env[reference];
    if (env[reference] !== undefined) continue;
    wrong.push(`${name} refers to the variable ${reference}, which is not set`);
  }
  const ajv = new Ajv2020({ allErrors: true, useDefaults: true, allowUnionTypes: true });
  const isSettings = ajv.compile<PointsSettings>(settingsSchema);
  const isValid = isSettings(settings);
  wrong.push(...(isSettings.errors ?? []).map(describe), ...findWrong(settings.program));
  if (isValid && wrong.length === 0) return settings;
  throw new SettingsError(wrong.join("\n"));
}

function* findWrong(program: unknown): Generator<string> {
  // Said already.
  if (typeof program !== "object" || program === null || Array.isArray(program)) return;
  try {
    parseProgram(program);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    for (const line of error.message.split("\n")) yield `program: ${line}`;
  }
}

function describe({ instancePath, keyword, message, params }: ErrorObject): string {
  const name = instancePath.slice(1);
  if (keyword === "required") return `${params.missingProperty} is missing`;
  if (keyword === "additionalProperties") return `${params.additionalProperty} is no setting`;
  if (keyword === "enum") return `${name} must be one of ${params.allowedValues.join(", ")}`;
  return `${name} ${message ?? "is wrong"}`;
}
