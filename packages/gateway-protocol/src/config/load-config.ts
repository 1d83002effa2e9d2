import type { GatewayConfig } from "../config.ts";
import { ConfigError, type ConfigIssue, unplacedIssue } from "./config-error.ts";
import { toGatewayConfig } from "./config-file.ts";
import { type PathIssue, resolveReferences } from "./config-references.ts";
import { checkConfigRules } from "./config-rules.ts";
import { type ConfigYaml, readConfigYaml } from "./config-yaml.ts";
import { describeSchemaError } from "./describe-schema-error.ts";
import { formatKeyPath, toPointer } from "./key-path.ts";
import { readConfigText } from "./read-config-text.ts";
import type { Environment } from "./substitution.ts";
import { isConfigFile, schemaErrors } from "./validate-config-file.ts";

/**
 * Reads, checks and completes a configuration file.
 * @throws ConfigError with everything that is wrong with it
 */
export function loadConfig(path: string, env: Environment = process.env): GatewayConfig {
  return parseConfig(readConfigText(path), path, env);
}

/**
 * Likewise, from the file's text; `source` names it in errors.
 * @throws ConfigError
 */
export function parseConfig(
  text: string,
  source: string,
  env: Environment = process.env,
): GatewayConfig {
  const yaml = readConfigYaml(text, source);
  if (yaml.value === null) {
    throw new ConfigError(source, [unplacedIssue("is empty; llm_routes, at least, is required")]);
  }
  const { issues: unresolved, restoreText } = resolveReferences(yaml.value, env);
  restoreExpectedText(yaml.value, restoreText);
  const described = schemaErrors(yaml.value).map(describeSchemaError);
  const invalid = described.filter((issue) => issue !== null);
  const contradictory = checkConfigRules(yaml.value);

  const issues = withoutFollowing(unresolved, withoutFollowing(invalid, contradictory));
  if (issues.length === 0 && isConfigFile(yaml.value)) return toGatewayConfig(yaml.value);
  throw new ConfigError(source, locateIssues(issues, yaml));
}

/** Where only a string is expected, text from the environment is one, whatever it looks like. */
function restoreExpectedText(data: unknown, restoreText: ReadonlyMap<string, () => void>): void {
  if (restoreText.size === 0) return;
  for (const { keyword, instancePath, params } of schemaErrors(data)) {
    if (keyword !== "type" || !String(params.type).split(",").includes("string")) continue;
    restoreText.get(instancePath)?.();
  }
}

/** All issues, but of the later ones none about a value that an earlier one is about. */
function withoutFollowing(
  issues: readonly PathIssue[],
  later: readonly PathIssue[],
): readonly PathIssue[] {
  const concerned = new Set(issues.map(({ path }) => toPointer(path)));
  return [...issues, ...later.filter(({ path }) => !concerned.has(toPointer(path)))];
}

function locateIssues(issues: readonly PathIssue[], yaml: ConfigYaml): readonly ConfigIssue[] {
  return issues
    .map(({ path, message }) => ({ path: formatKeyPath(path), message, ...yaml.locate(path) }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}
