import { elementsOf } from "../conversation/json-slices.ts";
import { readUtterance } from "../conversation/utterance.ts";
import type { Endpoint } from "../endpoint.ts";
import { isJsonObject, listOf, objectOf, objectsOf } from "../json/json-object.ts";
import { endpointPaths, keyHeaders, streamPaths } from "../names.ts";
import { googleOverflow } from "../overflow.ts";
import { writeContentAnswer } from "./content-answer.ts";
import { contentErrorBody } from "./content-error.ts";
import { readContentFacts } from "./content-facts.ts";
import { readContentRequest } from "./content-request.ts";
import { writeContentStream } from "./content-stream.ts";
import { ContentStreamReader } from "./content-stream-reader.ts";
import { LiveContent } from "./live-content.ts";
import { readChat } from "./read-chat.ts";
import { systemInstruction } from "./system-instruction.ts";
import { writeContentRequest } from "./write-content-request.ts";

/** `POST models/{model}:generateContent` and `:streamGenerateContent`, Google's API for Gemini. */
export const generateContent: Endpoint<"generate_content"> = {
  name: "generate_content",
  path: endpointPaths.generate_content,
  streamPath: streamPaths.generate_content,
  credentialHeader: keyHeaders.generate_content,
  provider: "gcp.gemini",
  defaultHeaders: {},
  requestIdHeader: "x-request-id",
  probes: [
    {
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
      generationConfig: { maxOutputTokens: 16 },
    },
  ],
  history: "contents",
  strip: null,
  readFacts: readContentFacts,
  openStream: (options) => new ContentStreamReader(options),
  abridge: null,
  isRecorded: true,
  errorBody: contentErrorBody,
  writeCount: null,
  chat: {
    read: readChat,
    open: (head) => new LiveContent(head),
    givenBack: ({ candidates }) =>
      objectsOf(candidates).flatMap(({ content }) => (isJsonObject(content) ? [content] : [])),
    overflow: googleOverflow,
    failedStream: null,
  },
  readRequest: readContentRequest,
  writeRequest: writeContentRequest,
  writeAnswer: writeContentAnswer,
  writeStream: writeContentStream,
  asksUsage: false,
  readReference: null,
  keepsAnswers: false,
  conversation: {
    messagesOf: elementsOf,
    systemOf: (request) => systemInstruction(request)?.parts ?? null,
    answersOf: ({ candidates }) =>
      Array.isArray(candidates)
        ? objectsOf(candidates).map(({ content }) => {
            const { parts } = objectOf(content);
            return readUtterance({ role: "model", parts: listOf(parts) });
          })
        : null,
    repeatedOf: () => null,
    inherited: [],
    marksFailures: true,
  },
};
