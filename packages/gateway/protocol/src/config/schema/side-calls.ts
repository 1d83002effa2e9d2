import type { JsonSchema } from "@proj/program/configuration";

const text = (description: string): JsonSchema => ({ description, type: "string", minLength: 1 });

/** The conditions of a rule, all of which must match. */
const rule: JsonSchema = {
  description: "Recognises side calls before they are forwarded.",
  type: "object",
  additionalProperties: false,
  required: ["name"],
  // Its name and at least one condition.
  minProperties: 2,
  properties: {
    name: text("What the rows of these calls say in meta_json.side_call."),
    header: {
      description: "Headers of the request with their values.",
      type: "object",
      minProperties: 1,
      propertyNames: { format: "header-name" },
      additionalProperties: { type: "string", format: "header-value" },
    },
    request_kind: text("What the agent says that the request is for, such as memory."),
    tools: {
      description: "false: the request has no tools; true: it has some.",
      type: "boolean",
    },
    system: text("A text that is in the system prompt."),
  },
};

export const sideCallsSchema: JsonSchema = {
  description: "Calls that are steps of another route; null: all calls are the route's own.",
  type: ["object", "null"],
  additionalProperties: false,
  required: ["route", "when"],
  properties: {
    route: text("Key of the route whose steps, budget and successes these calls count as."),
    when: {
      description:
        "Rules that recognise the calls an agent makes besides its work, such as titles and memory; the first rule that matches names the call.",
      type: "array",
      minItems: 1,
      items: rule,
    },
  },
  default: null,
};
