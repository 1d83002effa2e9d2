import { ConfigError, unplacedIssue } from "./config-error.ts";
import { readConfigYaml } from "./config-yaml.ts";
import { valueAt } from "./key-path.ts";
import { readConfigText } from "./read-config-text.ts";

/**
 * The route keys of a gateway's configuration file, for those who have not the environment that
 * its references need. Nothing else of the file is checked.
 * @throws ConfigError the file cannot be read, is no YAML, or has no map of routes
 */
export function readRouteKeys(path: string): string[] {
  const routes = valueAt(readConfigYaml(readConfigText(path), path).value, "llm_routes");
  if (typeof routes !== "object" || routes === null || Array.isArray(routes)) {
    const message = "expected a map of routes by their keys, written out in the file";
    throw new ConfigError(path, [unplacedIssue(message, "llm_routes")]);
  }
  return Object.keys(routes);
}
