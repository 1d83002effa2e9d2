import { ConfigReader, type Environment, valueAt } from "@proj/program/configuration";
import { findContradictions, isProgram } from "../program/parse-program.ts";
import { programFormats } from "../program/program-schema.ts";
import type { PointsSettings } from "./points-settings.ts";
import { settingsSchema } from "./settings-schema.ts";

const reader = new ConfigReader<PointsSettings>({
  schema: settingsSchema,
  formats: Object.fromEntries(
    Object.entries(programFormats).map(([name, isRight]) => [
      name,
      (text: string) => (isRight(text) ? null : `expected ${name}`),
    ]),
  ),
  secrets: ["ingest_secret", "api_key"],
  whenEmpty: "is empty; program, at least, is required",
  *rules(file) {
    const program = valueAt(file, "program");
    if (!isProgram(program)) return;
    for (const { path, message } of findContradictions(program))
      yield { path: ["program", ...path], message };
  },
});

/**
 * Reads and validates a settings file, and fills in the defaults.
 * @throws ConfigError with everything that is wrong with it
 */
export const loadSettings = (path: string, env: Environment = process.env): PointsSettings =>
  reader.load(path, env);

/** The same from the file's text; `source` names it in errors. @throws ConfigError */
export const parseSettings = (
  text: string,
  source: string,
  env: Environment = process.env,
): PointsSettings => reader.parse(text, source, env);
