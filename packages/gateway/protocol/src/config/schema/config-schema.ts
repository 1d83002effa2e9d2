import {
  flag,
  integer,
  type JsonSchema,
  positiveSeconds,
  seconds,
  section,
} from "@proj/program/configuration";
import { authSchema, corsSchema, sessionKeyLimitsSchema } from "./access.ts";
import { opentelemetrySchema } from "./opentelemetry.ts";
import { requestLogSchema } from "./request-log.ts";
import { routesSchema } from "./routes.ts";
import { retentionSchema, storageSchema, storageTypeSchema } from "./storage.ts";
import { telemetrySchema } from "./telemetry.ts";
import { timeoutsSchema } from "./timeouts.ts";

/**
 * JSON Schema 2020-12 of the configuration file, after `${…}` has been replaced. It lacks the rules across
 * several keys, which `parseConfig` also checks. Formats are the gateway's own.
 */
export const configSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Configuration of the session-scoped model gateway",
  type: "object",
  additionalProperties: false,
  required: ["llm_routes"],
  properties: {
    listen_host: {
      description: "Address to listen on; 0.0.0.0 or :: for every interface.",
      type: "string",
      format: "listen-host",
      default: "127.0.0.1",
    },
    listen_port: integer("Port to listen on; 0: any free one.", 8000, 0, 65_535),
    base_session_path: {
      description: "Prefix of the session endpoints.",
      type: "string",
      format: "session-path",
      default: "/v1/sessions",
    },
    max_steps: integer(
      "Steps that a session may take with each model; negative: any number.",
      -1,
      Number.MIN_SAFE_INTEGER,
    ),
    max_tokens: integer(
      "Tokens that a session may use over all its models, prompts and answers together; negative: any number.",
      -1,
      Number.MIN_SAFE_INTEGER,
    ),
    max_cost_usd: {
      description:
        "US dollars that a session may cost over all its models, by the routes' prices; null: any amount.",
      type: ["number", "null"],
      minimum: 0,
      default: null,
    },
    reserve: {
      description:
        "With max_tokens or max_cost_usd: each call in flight holds its max_tokens, or this many if it names none, and its prompt; calls wait until they fit into what is left. null: nothing is held, and calls in flight together may pass the budgets.",
      type: ["integer", "null"],
      minimum: 1,
      default: null,
    },
    max_ignored_stops: integer(
      "Stops that a model's caller may ignore in a session once a budget is spent; after them its requests are refused (400 budget_spent). Negative: any number.",
      2,
      Number.MIN_SAFE_INTEGER,
    ),
    storage_type: storageTypeSchema,
    storage_config: storageSchema,
    retention: retentionSchema,
    llm_routes: routesSchema,
    telemetry: telemetrySchema,
    request_log: requestLogSchema,
    session_close_timeout_s: seconds(
      "Seconds that a closing session's requests may take to end before they are aborted.",
      90,
    ),
    session_close_retry_after_s: integer(
      "Seconds that the answer about a closing session asks to wait (Retry-After).",
      10,
      0,
      86_400,
    ),
    session_idle_ttl_s: positiveSeconds(
      "Seconds after which an idle active session leaves memory; its counts are read back when it is used.",
      1800,
    ),
    max_body_bytes: integer("Maximum bytes of a request body.", 67_108_864, 1),
    min_body_rate_bytes: integer(
      "Minimum rate of a request body in bytes per second, over each caller_body_idle_s; 0: any rate.",
      1024,
      0,
    ),
    max_buffered_bytes: integer("Maximum bytes of all bodies in memory.", 1_073_741_824, 1),
    max_capture_bytes: integer("Maximum bytes captured of one answer.", 67_108_864, 1),
    max_sessions: integer(
      "Maximum number of sessions in memory; beyond it, the longest idle one leaves.",
      200_000,
      1,
    ),
    max_connections: integer(
      "Maximum number of callers' connections, fewer if descriptors would not suffice for upstreams; beyond it, 503.",
      65_536,
      1,
    ),
    timeouts: timeoutsSchema,
    drain_timeout_s: seconds("Seconds that requests may take to end at shutdown.", 30),
    shutdown_delay_s: seconds("Seconds of serving after readiness is withdrawn.", 0),
    auth: authSchema,
    session_key_limits: sessionKeyLimitsSchema,
    console: flag("Whether the console is served at /console.", true),
    cors: corsSchema,
    opentelemetry: opentelemetrySchema,
    deprecations: section("Warnings about models that upstreams announce to withdraw.", {
      feed: {
        description: "URL or file of the feed; null: no warnings.",
        type: ["string", "null"],
        minLength: 1,
        default: null,
      },
      warn_days: integer("Days before a withdrawal at which warnings begin.", 30, 0),
    }),
  },
};
