import type { Endpoint } from "../endpoint.ts";
import { endpointPaths, streamPaths } from "../names.ts";
import { responses } from "./responses.ts";

/** `POST responses/input_tokens`: counts tokens without generating any. */
export const inputTokens: Endpoint<"input_tokens"> = {
  ...responses,
  name: "input_tokens",
  path: endpointPaths.input_tokens,
  streamPath: streamPaths.input_tokens,
  history: null,
  readFacts: (scanner) => scanner.skipValue(),
  openStream: null,
  isRecorded: false,
  writeCount: (tokens) => ({ object: "response.input_tokens", input_tokens: tokens }),
  writeAnswer: null,
  writeStream: null,
};
