import type { JsonSchema } from "@proj/program/configuration";
import { programSchema } from "../program/program-schema.ts";

/** JSON Schema of the settings, with the defaults. */
export const settingsSchema: JsonSchema = {
  type: "object",
  properties: {
    listen_host: { type: "string", minLength: 1, default: "127.0.0.1" },
    listen_port: { type: "integer", minimum: 0, maximum: 65_535, default: 8080 },
    prefix: {
      type: "string",
      pattern: "^[A-Za-z0-9_~-][A-Za-z0-9._~-]*(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$",
      expected: "a path without slashes at its ends, such as api or api/v1",
      default: "api",
    },
    db_url: {
      type: "string",
      pattern: "^(sqlite|postgres|postgresql)://",
      expected: "sqlite://<file>, postgres://… or postgresql://…",
      default: "sqlite://points.db",
    },
    synchronous: { type: "string", enum: ["full", "normal"], default: "full" },
    pool_size: { type: "integer", minimum: 1, maximum: 1_000, default: 10 },
    job_niceness: { type: "integer", minimum: 0, maximum: 19, default: 15 },
    ingest_secret: {
      type: ["string", "null"],
      pattern: "^whsec_[A-Za-z0-9+/]+={0,2}$",
      expected: "whsec_ followed by base64, as in Standard Webhooks",
      default: null,
    },
    max_body_bytes: { type: "integer", minimum: 1_024, maximum: 2 ** 28, default: 4 * 2 ** 20 },
    log_path: { type: ["string", "null"], minLength: 1, default: null },
    price_max_age_s: { type: "integer", minimum: 0, maximum: 86_400, default: 0 },
    price_sources: {
      type: "array",
      items: {
        type: "object",
        properties: {
          kind: { type: "string", enum: ["hermes", "jupiter"] },
          base_url: { type: "string", format: "http(s) URL" },
          api_key: { type: ["string", "null"], minLength: 1, default: null },
          tokens: { type: "object", additionalProperties: { type: "string", minLength: 1 } },
        },
        required: ["kind", "base_url", "tokens"],
        additionalProperties: false,
      },
      default: [],
    },
    price_interval_s: { type: "integer", minimum: 1, maximum: 86_400, default: 10 },
    price_stale_s: { type: "integer", minimum: 1, maximum: 86_400, default: 60 },
    program: programSchema,
  },
  required: ["program"],
  additionalProperties: false,
};
