import type { Conversation, ReadRequest, WrittenRequest } from "../conversation/conversation.ts";
import { textOf } from "../conversation/model-answer.ts";
import { type SamplingNames, Unsupported, writeSampling } from "../conversation/read-members.ts";
import type { JsonObject } from "../json/json-object.ts";

const samplingNames: SamplingNames = {
  temperature: "temperature",
  top_p: "top_p",
  top_k: "top_k",
  min_p: "min_p",
  repetition_penalty: "repetition_penalty",
  frequency_penalty: "frequency_penalty",
  presence_penalty: "presence_penalty",
  seed: "seed",
  max_tokens: "max_tokens",
  n: "n",
};

const knownMembers = [
  ...Object.values(samplingNames),
  ...["model", "prompt", "stop", "logprobs", "stream", "stream_options"],
];

/** A prompt is what a user says; several of them, or token ids, are not a conversation. */
export function readCompletionRequest(body: JsonObject): ReadRequest {
  const unsupported = new Unsupported();
  unsupported.members(body, knownMembers);
  const prompt = unsupported.text(body, "prompt");
  const stream_options = unsupported.object(body, "stream_options");
  unsupported.members(stream_options, ["include_usage"], "stream_options.");
  const conversation: Conversation = {
    model: unsupported.text(body, "model") ?? "",
    messages: prompt === null ? [] : [{ role: "user", parts: [{ kind: "text", text: prompt }] }],
    tools: [],
    tool_choice: "auto",
    parallel_tool_calls: null,
    sampling: {
      ...unsupported.sampling(body, samplingNames),
      top_logprobs: unsupported.number(body, "logprobs"),
    },
    stop: unsupported.texts(body, "stop"),
    format: { kind: "text" },
    reasoning_effort: null,
    stream: unsupported.flag(body, "stream") === true,
    stream_usage: stream_options?.include_usage === true,
  };
  const { names, malformed } = unsupported;
  return { conversation, unsupported: names, malformed };
}

/** Only the texts of a conversation can be a prompt; everything else is named. */
export function writeCompletionRequest(conversation: Conversation): WrittenRequest {
  const unsupported = new Unsupported();
  const { messages, sampling, stop, tools, format, stream, stream_usage } = conversation;
  if (tools.length > 0) unsupported.add("tools");
  if (conversation.tool_choice !== "auto") unsupported.add("tool_choice");
  if (conversation.parallel_tool_calls !== null) unsupported.add("parallel_tool_calls");
  if (format.kind !== "text") unsupported.add("format");
  if (conversation.reasoning_effort !== null) unsupported.add("reasoning_effort");
  for (const { role, parts } of messages) {
    if (role !== "user") unsupported.add(`messages[].${role}`);
    for (const { kind } of parts) if (kind !== "text") unsupported.add(`messages[].${kind}`);
  }
  const { top_logprobs } = sampling;
  const body = {
    model: conversation.model,
    prompt: messages.map(({ parts }) => textOf(parts, "text")).join("\n"),
    ...writeSampling(sampling, samplingNames, unsupported),
    ...(top_logprobs === null ? {} : { logprobs: top_logprobs }),
    ...(stop.length === 0 ? {} : { stop }),
    ...(stream ? { stream } : {}),
    ...(stream_usage ? { stream_options: { include_usage: true } } : {}),
  };
  return { body, unsupported: unsupported.names };
}
