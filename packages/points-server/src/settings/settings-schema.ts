import type { SchemaObject } from "ajv/dist/2020.js";

/** JSON Schema of the settings, with the defaults; `program` has its own. */
export const settingsSchema: SchemaObject = {
  type: "object",
  properties: {
    listen_host: { type: "string", minLength: 1, default: "127.0.0.1" },
    listen_port: { type: "integer", minimum: 0, maximum: 65_535, default: 8080 },
    prefix: {
      type: "string",
      pattern: "^[A-Za-z0-9_~-][A-Za-z0-9._~-]*(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$",
      default: "api",
    },
    db_url: {
      type: "string",
      pattern: "^(sqlite|postgres|postgresql)://",
      default: "sqlite://points.db",
    },
    synchronous: { enum: ["full", "normal"], default: "full" },
    pool_size: { type: "integer", minimum: 1, maximum: 1_000, default: 10 },
    ingest_secret: {
      type: ["string", "null"],
      pattern: "^whsec_[A-Za-z0-9+/]+={0,2}$",
      default: null,
    },
    max_body_bytes: { type: "integer", minimum: 1_024, maximum: 2 ** 28, default: 4 * 2 ** 20 },
    program: { type: "object" },
  },
  required: ["program"],
  additionalProperties: false,
};
