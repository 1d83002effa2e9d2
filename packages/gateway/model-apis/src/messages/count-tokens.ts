import type { Endpoint } from "../endpoint.ts";
import { endpointPaths, streamPaths } from "../names.ts";
import { messages } from "./messages.ts";

/** `POST messages/count_tokens`: agents call it often, as a hint. */
export const countTokens: Endpoint<"count_tokens"> = {
  ...messages,
  name: "count_tokens",
  path: endpointPaths.count_tokens,
  streamPath: streamPaths.count_tokens,
  history: null,
  readFacts: (scanner) => scanner.skipValue(),
  openStream: null,
  isRecorded: false,
  writeCount: (tokens) => ({ input_tokens: tokens }),
  writeAnswer: null,
  writeStream: null,
};
