import { type ObjectRules, objectRules } from "../streams/assembly-rules.ts";

/**
 * A content block. Blocks and deltas of unknown types are assembled too: texts are appended, and of anything
 * else the last value is kept.
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
  content: { entries: blockRules, told: "begin" },
  usage: { object: objectRules("last", {}) },
});
