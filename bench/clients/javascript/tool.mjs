export const question = "What is 19 + 23?";

/** What is embedded; the upstream knows their vectors. */
export const texts = ["Hello", "there"];

/** The tool of every client: what it takes, and what it does. */
export const add = {
  name: "add",
  description: "Adds two numbers.",
  parameters: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
    additionalProperties: false,
  },
  run: ({ a, b }) => String(a + b),
};
