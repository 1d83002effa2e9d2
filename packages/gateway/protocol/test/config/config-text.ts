import { ConfigError, type ConfigIssue, type GatewayConfig, parseConfig } from "../../src/index.ts";

export const routes = "llm_routes:\n  small:\n    base_url: http://127.0.0.1:9/v1\n";

/** Parses a text to which the one required key is added. */
export const parseWithRoutes = (
  text: string,
  env: Readonly<Record<string, string>> = {},
): GatewayConfig => parseConfig(`${text}\n${routes}`, "gateway.yaml", env);

/** Parses a route given as the lines under its key. */
export const parseRoute = (
  lines: string,
  env: Readonly<Record<string, string>> = {},
): GatewayConfig =>
  parseConfig(`llm_routes:\n  small:\n${lines.replace(/^/gm, "    ")}\n`, "gateway.yaml", env);

export function configErrorOf(parse: () => unknown): ConfigError {
  try {
    parse();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("the configuration was accepted");
}

export const issuesOf = (parse: () => unknown): readonly ConfigIssue[] =>
  configErrorOf(parse).issues;

/** Path and message of every issue, one line each. */
export const complaintsOf = (parse: () => unknown): readonly string[] =>
  issuesOf(parse).map(({ path, message }) => `${path}: ${message}`);
