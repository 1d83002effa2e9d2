export { closestNames } from "./closest-names.ts";
export { ConfigError, type ConfigIssue, unplacedIssue } from "./config-error.ts";
export type { ConfigFormat, StringCheck } from "./config-format.ts";
export { ConfigReader } from "./config-reader.ts";
export { type ConfigYaml, type Position, readConfigYaml } from "./config-yaml.ts";
export { FoundValues, type VariablesOf } from "./found-values.ts";
export {
  choice,
  flag,
  integer,
  type JsonSchema,
  type JsonTypeName,
  milliseconds,
  positiveSeconds,
  seconds,
  section,
} from "./json-schema.ts";
export { type KeyPath, valueAt } from "./key-path.ts";
export { readConfigText } from "./read-config-text.ts";
export type { PathIssue } from "./references.ts";
export { isSecretName, maskUrl, maskUrlsInText, publicDbUrl } from "./secret-masking.ts";
export { type Environment, type Substitution, substitute } from "./substitution.ts";
