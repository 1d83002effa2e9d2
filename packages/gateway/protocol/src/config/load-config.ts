import { ConfigReader, type Environment } from "@proj/program/configuration";
import type { GatewayConfig } from "../config.ts";
import { type ConfigFile, toGatewayConfig } from "./config-file.ts";
import { checkConfigRules } from "./config-rules.ts";
import { configSchema } from "./schema/config-schema.ts";
import { stringFormats } from "./string-formats.ts";

const reader = new ConfigReader<ConfigFile>({
  schema: configSchema,
  formats: stringFormats,
  secrets: [
    "api_key",
    "api_keys",
    "session_secret",
    "previous_session_secret",
    "headers",
    "extra_body",
    "extra_body_stream",
  ],
  whenEmpty: "is empty; llm_routes, at least, is required",
  describe(error) {
    // Each alternative of a route gives a `required` error; the `oneOf` error below replaces them.
    if (error.keyword === "required" && error.schemaPath.includes("/oneOf/")) return null;
    if (error.keyword !== "oneOf") return undefined;
    return error.params.passingSchemas === null
      ? "needs base_url, or base_urls for several replicas"
      : "has both base_url and base_urls; one of them is expected";
  },
  rules: checkConfigRules,
});

/**
 * Reads, checks and completes a configuration file.
 * @throws ConfigError listing everything that is wrong with it
 */
export const loadConfig = (path: string, env: Environment = process.env): GatewayConfig =>
  toGatewayConfig(reader.load(path, env));

/**
 * Likewise, from the file's text; `source` names it in errors.
 * @throws ConfigError
 */
export const parseConfig = (
  text: string,
  source: string,
  env: Environment = process.env,
): GatewayConfig => toGatewayConfig(reader.parse(text, source, env));
