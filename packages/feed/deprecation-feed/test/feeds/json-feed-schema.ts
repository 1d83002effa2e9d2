const text = { type: "string" } as const;
const someText = { type: "string", minLength: 1 } as const;
const url = { type: "string", pattern: "^https?://[^\\s]+$" } as const;
const time = {
  type: "string",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$",
} as const;
const day = { type: "string", pattern: "^(\\d{4}-\\d{2}-\\d{2})?$" } as const;
const texts = { type: "array", items: someText } as const;
const authors = {
  type: "array",
  items: { type: "object", minProperties: 1, properties: { name: text, url, avatar: url } },
} as const;

const deprecation = {
  type: "object",
  required: ["provider", "model_id", "shutdown_date"],
  additionalProperties: false,
  properties: {
    provider: someText,
    model_id: someText,
    status: { enum: ["active", "deprecated", "shutdown", "withdrawn"] },
    shutdown_date: day,
    earliest_shutdown_date: day,
    shutdown_text: text,
    deprecation_date: day,
    announcement_date: day,
    replacement_models: texts,
    aliases: texts,
    regions: texts,
    first_observed: { ...day, minLength: 10 },
    last_observed: { ...day, minLength: 10 },
  },
} as const;

const change = {
  type: "object",
  required: ["provider", "model_id", "field", "from", "to"],
  additionalProperties: false,
  properties: { provider: someText, model_id: someText, field: someText, from: text, to: text },
} as const;

/**
 * JSON Feed 1.1 according to its specification (jsonfeed.org/version/1.1): only its own members and extensions with an
 * underscore; and our extensions as promised in docs/interfaces.md.
 */
export const jsonFeedSchema: object = {
  type: "object",
  required: ["version", "title", "home_page_url", "feed_url", "description", "language", "items"],
  additionalProperties: false,
  patternProperties: { "^_[^.]+$": { type: "object" } },
  properties: {
    version: { const: "https://jsonfeed.org/version/1.1" },
    title: someText,
    home_page_url: url,
    feed_url: url,
    description: text,
    user_comment: text,
    next_url: url,
    icon: url,
    favicon: url,
    authors,
    language: { type: "string", pattern: "^[a-z]{2,3}(-[A-Za-z0-9]+)*$" },
    expired: { type: "boolean" },
    hubs: { type: "array", items: { type: "object", required: ["type", "url"] } },
    items: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "url", "title", "content_text", "date_published", "date_modified", "tags"],
        oneOf: [{ required: ["_deprecation"] }, { required: ["_deprecation_change"] }],
        additionalProperties: false,
        properties: {
          id: {
            type: "string",
            pattern: "^urn:model-deprecation:[a-z0-9-]+:[^\\s:]+(:[a-z_]+:[\\d-]{10})?$",
          },
          url,
          external_url: url,
          title: someText,
          content_html: text,
          content_text: someText,
          summary: text,
          image: url,
          banner_image: url,
          date_published: time,
          date_modified: time,
          authors,
          tags: texts,
          language: text,
          attachments: { type: "array", items: { required: ["url", "mime_type"] } },
          _deprecation: deprecation,
          _deprecation_change: change,
        },
      },
    },
  },
};
