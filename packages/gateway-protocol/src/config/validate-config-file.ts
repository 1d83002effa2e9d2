import { Ajv2020, type DefinedError, type ValidateFunction } from "ajv/dist/2020.js";
import type { ConfigFile } from "./config-file.ts";
import { configSchema } from "./schema/config-schema.ts";
import { stringFormats } from "./string-formats.ts";

let compiled: ValidateFunction<ConfigFile> | undefined;

/** Compiling takes milliseconds, which only those who load a configuration should spend. */
function validator(): ValidateFunction<ConfigFile> {
  if (compiled !== undefined) return compiled;
  const ajv = new Ajv2020({
    allErrors: true,
    useDefaults: true,
    // Errors carry the value and the schema, from which their messages are made.
    verbose: true,
    allowUnionTypes: true,
  });
  for (const [name, check] of Object.entries(stringFormats)) {
    ajv.addFormat(name, { type: "string", validate: (value) => check(value) === null });
  }
  compiled = ajv.compile<ConfigFile>(configSchema);
  return compiled;
}

/** Whether data is a configuration file. Fills in every default that its place allows, in place. */
export const isConfigFile = (data: unknown): data is ConfigFile => validator()(data);

/** What is wrong with data; likewise fills in the defaults. */
export function schemaErrors(data: unknown): readonly DefinedError[] {
  const validate = validator();
  return validate(data) ? [] : ((validate.errors ?? []) as DefinedError[]);
}
