import { openaiErrorBody } from "../api-error.ts";
import { type Endpoint, openaiHeaders } from "../endpoint.ts";
import { readString, skipContent, skipError, whyNoAnswer } from "../facts/object-facts.ts";
import { choiceUsage, readUsage } from "../facts/read-usage.ts";
import { endpointPaths, streamPaths } from "../names.ts";
import { abridgeVectors } from "./abridge-vectors.ts";

/** `POST embeddings`: recorded, but not as a step. */
export const embeddings: Endpoint<"embeddings"> = {
  name: "embeddings",
  path: endpointPaths.embeddings,
  streamPath: streamPaths.embeddings,
  ...openaiHeaders,
  probes: [{ input: "Hi" }],
  history: null,
  readFacts: (scanner, facts) => {
    let content = false;
    let error = false;
    for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
      if (scanner.keyEquals("usage")) readUsage(scanner, facts, choiceUsage);
      else if (scanner.keyEquals("model")) facts.model = readString(scanner);
      else if (scanner.keyEquals("error")) error = skipError(scanner);
      else if (scanner.keyEquals("data")) content = skipContent(scanner);
      else scanner.skipValue();
    }
    facts.noAnswer = whyNoAnswer({ content, error, reasons: [], member: "data" });
  },
  openStream: null,
  abridge: abridgeVectors,
  isRecorded: true,
  errorBody: openaiErrorBody,
  chat: null,
  writeCount: null,
  readRequest: null,
  writeRequest: null,
  writeAnswer: null,
  readReference: null,
  keepsAnswers: false,
  conversation: {
    messagesOf: () => [],
    systemOf: () => null,
    answersOf: () => null,
    repeatedOf: () => null,
    inherited: [],
    marksFailures: false,
  },
  writeStream: null,
};
