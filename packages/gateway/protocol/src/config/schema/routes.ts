import { apiNames, defaultApis, keyHeaders } from "@proj/model-apis/names";
import { flag, integer, type JsonSchema, seconds } from "@proj/program/configuration";
import { pricesSchema } from "./prices.ts";
import { sideCallsSchema } from "./side-calls.ts";

/** The longest route key, in characters; keys become labels, columns and paths of messages. */
const maxRouteKey = 256;

const baseUrl: JsonSchema = { type: "string", minLength: 1, format: "upstream-url" };

const extraBody = (description: string): JsonSchema => ({
  description,
  type: "object",
  propertyNames: { format: "extra-body-key" },
  default: {},
});

const route: JsonSchema = {
  description: "One upstream model, under the name by which callers ask for it.",
  type: "object",
  additionalProperties: false,
  oneOf: [{ required: ["base_url"] }, { required: ["base_urls"] }],
  properties: {
    base_url: {
      ...baseUrl,
      description:
        "The upstream's address, ending in its version path, such as https://host/v1. Give exactly one of base_url and base_urls.",
    },
    base_urls: {
      description:
        "Replicas of one model, in place of base_url; a session stays with one of them while it is healthy.",
      type: "array",
      minItems: 1,
      items: baseUrl,
    },
    api_key: {
      description:
        "Sent upstream as authorization: Bearer <api_key>, for messages as x-api-key, for generate_content as x-goog-api-key; null: nothing is sent.",
      type: ["string", "null"],
      minLength: 1,
      format: "bearer-key",
      default: null,
    },
    auth_header: {
      description:
        "The header that api_key is sent in; null: the one that the API's own service takes.",
      enum: [...new Set(Object.values(keyHeaders)), null],
      default: null,
    },
    strip_billing_block: {
      description:
        "Whether Claude Code's billing block, a system block whose text changes with every request, is removed before forwarding; null: yes, unless the upstream is Anthropic's.",
      type: ["boolean", "null"],
      default: null,
    },
    endpoints: {
      description: "The APIs that the upstream speaks. Requests to other APIs get a 404.",
      type: "array",
      minItems: 1,
      items: { type: "string", enum: [...apiNames] },
      default: [...defaultApis],
    },
    engine: {
      description:
        "The inference engine behind the route: vllm or sglang. It is asked in token ids, and agents of every API get exact tokens; null: bytes pass as they are.",
      enum: ["vllm", "sglang", null],
      default: null,
    },
    tokenizer: {
      description:
        "With engine: a folder with the model's tokenizer.json, tokenizer_config.json and chat template, so that prompts are rendered here; null: vLLM is asked to render them.",
      type: ["string", "null"],
      minLength: 1,
      default: null,
    },
    continuity: {
      description:
        "With engine: exact continues a session's earlier turns token for token; off renders every prompt whole.",
      enum: ["exact", "off"],
      default: "exact",
    },
    thinking: {
      description:
        "With engine: kept leaves earlier thinking where it was sampled; as_template drops it as the chat template would, which begins another training sequence.",
      enum: ["kept", "as_template"],
      default: "kept",
    },
    modalities: {
      description: "With engine: what the model takes beside text. Other requests get a 400.",
      type: "array",
      items: { enum: ["image"] },
      default: [],
    },
    keeps: {
      description:
        "What the upstream keeps for later requests: responses (previous_response_id), conversations, threads (of Anthropic's messages). What it does not keep, the gateway sends whole. null: responses and conversations at OpenAI's and Azure's hosts, threads at Anthropic's, nothing elsewhere.",
      type: ["array", "null"],
      items: { enum: ["responses", "conversations", "threads"] },
      default: null,
    },
    serve_history: flag(
      "Whether the gateway sends the history that a request names and the upstream does not keep; false: such requests are refused, so that clients send everything.",
      true,
    ),
    websockets: flag(
      "Whether the route answers Responses over WebSockets, whatever its upstream speaks; false: 426, so that clients use HTTP.",
      true,
    ),
    side_calls: sideCallsSchema,
    prices: pricesSchema,
    stream_usage: flag(
      "Whether streams of chat completions and completions are asked for their usage where max_tokens or max_cost_usd is set; callers that did not ask for it do not see it.",
      true,
    ),
    supports_stream: flag("Whether requests with stream: true are forwarded.", true),
    max_concurrency: integer(
      "Maximum number of requests at the upstream at the same time.",
      256,
      1,
    ),
    upstream_model: {
      description: "The model's name upstream; null: the body is forwarded byte for byte.",
      type: ["string", "null"],
      minLength: 1,
      default: null,
    },
    headers: {
      description: "Headers sent upstream with every request of the route.",
      type: "object",
      propertyNames: { format: "upstream-header-name" },
      additionalProperties: { type: "string", format: "header-value" },
      default: {},
    },
    extra_body: extraBody(
      "Top-level members set in every request body; they win over the caller's. model and stream may not be among them.",
    ),
    extra_body_stream: extraBody("Likewise, on top of extra_body, if the request streams."),
    max_queue: integer("Requests that may wait for a place on the route.", 1024, 0),
    queue_timeout_s: seconds("Seconds that a request may wait for a place.", 60),
    retries: integer("Further attempts before the first byte of an answer.", 0, 0),
    record_request_headers: {
      description:
        "Request headers to keep with each step; the values of credentials are redacted.",
      type: "array",
      items: { type: "string", format: "header-name" },
      default: [],
    },
    record_headers: {
      description: "Upstream response headers to keep with each step.",
      type: "array",
      items: { type: "string", format: "header-name" },
      default: [],
    },
    strip_response_members: {
      description:
        "Members removed from an answer and its choices before callers get it, such as an engine's extras that official SDKs reject; rows keep them.",
      type: "array",
      items: { type: "string", minLength: 1 },
      default: [],
    },
  },
};

export const routesSchema: JsonSchema = {
  description: "The routes, by the model name that a request's body must have.",
  type: "object",
  minProperties: 1,
  propertyNames: { minLength: 1, maxLength: maxRouteKey },
  additionalProperties: route,
};
