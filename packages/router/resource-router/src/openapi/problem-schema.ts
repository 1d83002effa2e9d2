/** RFC 9457, with the `errors` of a failed validation. */
export const problemSchema = {
  type: "object",
  properties: {
    type: { type: "string", format: "uri-reference" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    instance: { type: "string", format: "uri-reference" },
    errors: {
      type: "array",
      items: {
        type: "object",
        properties: {
          detail: { type: "string" },
          pointer: { type: "string" },
          parameter: { type: "string" },
        },
        required: ["detail"],
      },
    },
  },
} as const;
