import { flag, integer, type JsonSchema, section } from "@proj/program/configuration";

const bearerKey: JsonSchema = { type: "string", minLength: 1, format: "bearer-key" };

export const authSchema: JsonSchema = section("Who may call the gateway.", {
  api_keys: {
    description:
      "Bearer keys that open everything, each a string or {name, key}; the name is recorded with the steps. Empty: the gateway is open.",
    type: "array",
    items: {
      // Of the keywords below, the first two apply only to strings and the rest only to objects.
      type: ["string", "object"],
      minLength: 1,
      format: "bearer-key",
      additionalProperties: false,
      required: ["key"],
      properties: {
        name: { description: "The caller's name.", type: "string", minLength: 1 },
        key: { ...bearerKey, description: "The caller's key." },
      },
    },
    default: [],
  },
  session_secret: {
    description:
      "Makes a key for each session, which opens that session's model endpoints and nothing else; needs api_keys. null: no such keys.",
    type: ["string", "null"],
    minLength: 1,
    default: null,
  },
  previous_session_secret: {
    description:
      "The previous session_secret: keys made with it keep opening their sessions. null: there is none.",
    type: ["string", "null"],
    minLength: 1,
    default: null,
  },
  open_metrics: flag("Whether /metrics needs no key even if keys are set.", false),
});

export const corsSchema: JsonSchema = section("Browsers that may call the gateway.", {
  allowed_origins: {
    description: "Origins besides the gateway's own, such as https://console.example.com.",
    type: "array",
    items: { type: "string", format: "origin" },
    default: [],
  },
});

export const sessionKeyLimitsSchema: JsonSchema = section(
  "What each session may take by its session key, so that one agent cannot shut out the others.",
  {
    max_in_flight: integer(
      "Requests of a session at the same time, waiting ones and followers included.",
      64,
      1,
    ),
    max_body_bytes: integer("Maximum bytes of a request body.", 33_554_432, 1),
    max_buffered_bytes: integer("Bytes of all bodies of a session in memory.", 134_217_728, 1),
    max_route_share: {
      description:
        "Share of each route's max_concurrency that a session may hold; at least one place.",
      type: "number",
      exclusiveMinimum: 0,
      maximum: 1,
      default: 0.5,
    },
  },
);
