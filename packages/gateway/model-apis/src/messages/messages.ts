import type { ConversationForm } from "../conversation/conversation-form.ts";
import { arrayOf, elementsOf, memberOf } from "../conversation/json-slices.ts";
import { readUtterance } from "../conversation/utterance.ts";
import type { Endpoint } from "../endpoint.ts";
import { endpointPaths, keyHeaders, streamPaths } from "../names.ts";
import { anthropicOverflow } from "../overflow.ts";
import { findReference } from "../references/reference.ts";
import { byThread } from "../references/thread.ts";
import { mayHaveBillingBlock, stripBillingBlock } from "./billing-block.ts";
import { LiveMessage } from "./live-message.ts";
import { writeMessageAnswer } from "./message-answer.ts";
import { messageErrorBody } from "./message-error.ts";
import { readMessageFacts } from "./message-facts.ts";
import { readMessageRequest } from "./message-request.ts";
import { writeMessageStream } from "./message-stream.ts";
import { MessageStreamReader } from "./message-stream-reader.ts";
import { readChat } from "./read-chat.ts";
import { writeMessageRequest } from "./write-message-request.ts";

const messageConversation: ConversationForm = {
  messagesOf: elementsOf,
  systemOf: ({ system }) => system ?? null,
  // The answer is itself a message.
  answersOf: (response) => (Array.isArray(response.content) ? [readUtterance(response)] : null),
  repeatedOf: (response) => {
    const content = arrayOf(memberOf(response, "content"));
    return content === null ? null : [`{"role":"assistant","content":${content}}`];
  },
  // A thread keeps those that it was created with.
  inherited: ["system", "tools"],
  marksFailures: true,
};

/** `POST messages`, Anthropic's API. */
export const messages: Endpoint<"messages"> = {
  name: "messages",
  path: endpointPaths.messages,
  streamPath: streamPaths.messages,
  credentialHeader: keyHeaders.messages,
  provider: "anthropic",
  defaultHeaders: { "anthropic-version": "2023-06-01" },
  requestIdHeader: "request-id",
  probes: [{ messages: [{ role: "user", content: "Hi" }], max_tokens: 1 }],
  history: "messages",
  strip: { name: "billing_block", mayBeIn: mayHaveBillingBlock, from: stripBillingBlock },
  asksUsage: false,
  readFacts: readMessageFacts,
  openStream: (options) => new MessageStreamReader(options),
  abridge: null,
  isRecorded: true,
  errorBody: messageErrorBody,
  writeCount: null,
  chat: {
    read: readChat,
    open: (head) => new LiveMessage(head),
    givenBack: ({ role, content }) => [{ role, content }],
    overflow: anthropicOverflow,
    failedStream: null,
  },
  readRequest: readMessageRequest,
  writeRequest: writeMessageRequest,
  writeAnswer: writeMessageAnswer,
  readReference: (body) => findReference(body, { thread: byThread }),
  keepsAnswers: false,
  conversation: messageConversation,
  writeStream: writeMessageStream,
};
