import { type ObjectRules, objectRules } from "../../streams/assembly-rules.ts";

/**
 * A block of content. What a block or a delta of an unknown type holds is put together all the same:
 * texts are appended, and of all else the last holds.
 */
const blockRules = objectRules("text", {
  index: "omitted",
  type: "first",
  id: "first",
  name: "first",
  input: "json",
  signature: "last",
  citations: "list",
});

/** The message that the events of a stream add up to. Usage is cumulative: each count replaces the one before. */
export const messageRules: ObjectRules = objectRules("last", {
  content: { entries: blockRules },
  usage: { object: objectRules("last", {}) },
});
