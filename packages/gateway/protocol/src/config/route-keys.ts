import {
  ConfigError,
  type Environment,
  readConfigText,
  readConfigYaml,
  substitute,
  unplacedIssue,
  valueAt,
} from "@proj/program/configuration";

/**
 * The route keys of a gateway's configuration file, for programs without the environment that its references
 * need. Nothing else in the file is checked.
 * @throws ConfigError the file cannot be read, is not YAML, or has no map of routes
 */
export function readRouteKeys(path: string): string[] {
  return Object.keys(readRoutes(path));
}

/** The models that a configuration file names. */
export interface RouteModels {
  /** Route keys and names sent upstream, each once. */
  readonly models: readonly string[];
  /** Keys of routes whose `upstream_model` refers to an unset variable. */
  readonly unread: readonly string[];
}

/**
 * Reads which models a configuration file names. Only references in an `upstream_model` are resolved, and
 * nothing else in the file is checked.
 * @throws ConfigError the file cannot be read, is not YAML, or has no map of routes
 */
export function readRouteModels(path: string, env: Environment = process.env): RouteModels {
  const models = new Set<string>();
  const unread: string[] = [];
  for (const [key, route] of Object.entries(readRoutes(path))) {
    models.add(key);
    const upstream_model = valueAt(route, "upstream_model");
    if (typeof upstream_model !== "string") continue;
    const { text, problems } = substitute(upstream_model, env);
    if (problems.length > 0) unread.push(key);
    else models.add(text);
  }
  return { models: [...models], unread };
}

function readRoutes(path: string): object {
  const { value, repeated } = readConfigYaml(readConfigText(path), path);
  if (repeated.length > 0) throw new ConfigError(path, repeated);
  const routes = valueAt(value, "llm_routes");
  if (typeof routes === "object" && routes !== null && !Array.isArray(routes)) return routes;
  const message = "expected a map from route keys to routes, written out in the file";
  throw new ConfigError(path, [unplacedIssue(message, "llm_routes")]);
}
