import type { Endpoint } from "../endpoint.ts";
import { endpointPaths, streamPaths } from "../names.ts";
import { generateContent } from "./generate-content.ts";

/** `POST models/{model}:countTokens`: counts tokens without generating any. */
export const contentTokens: Endpoint<"content_tokens"> = {
  ...generateContent,
  name: "content_tokens",
  path: endpointPaths.content_tokens,
  streamPath: streamPaths.content_tokens,
  history: null,
  readFacts: (scanner) => scanner.skipValue(),
  openStream: null,
  isRecorded: false,
  writeCount: (tokens) => ({ totalTokens: tokens }),
  writeAnswer: null,
  writeStream: null,
};
