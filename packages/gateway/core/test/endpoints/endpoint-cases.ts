import { type EndpointName, endpointsByName, namesModel, requestPath } from "@proj/model-apis";
import {
  chatCompletion,
  chatStream,
  jsonBytes,
  messageObject,
  messageStream,
  responseObject,
  responseStream,
} from "@proj/test-kit";

/** One endpoint, as a caller requests it and an upstream answers it. */
export interface EndpointCase {
  readonly name: EndpointName;
  /** Path below `/v1`, and below a session. */
  readonly path: string;
  /** The member that grows from request to request. */
  readonly history: { readonly name: string; readonly value: unknown } | null;
  /** A request for the model `policy`, its history first; the path says the model where the API wants that. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The upstream's answer, which the row then has, also for a stream. */
  readonly answer: object;
  /** What the row has, if it differs from the answer. */
  readonly kept?: object;
  /** False: it leaves no row. */
  readonly isRecorded: boolean;
  /** False: it uses no budget. */
  readonly isStep: boolean;
  /** Null: it never streams. */
  readonly stream: readonly Buffer[] | null;
  readonly finish_reason: string | null;
  readonly completion_tokens: number | null;
}

const messages = [{ role: "user", content: "Hello" }];
const completion = chatCompletion({ content: "Hello there" });
const input = "Hello";
const message = messageObject();
const response = responseObject({ text: "Hello there" });

const contents = [{ role: "user", parts: [{ text: "Hello" }] }];
const content = {
  candidates: [
    {
      content: { parts: [{ text: "Hello there" }], role: "model" },
      finishReason: "STOP",
      index: 0,
    },
  ],
  usageMetadata: {
    promptTokenCount: 11,
    candidatesTokenCount: 3,
    thoughtsTokenCount: 2,
    totalTokenCount: 16,
  },
  modelVersion: "gemini-test",
  responseId: "content-test",
};

/** Token ids, of two prompts. */
const prompt = [
  [464, 6766],
  [318, 4171],
];
const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 };
const head = { id: "cmpl-test", object: "text_completion", created: 1_767_225_600, model: "m" };
const texts = [" is blue", " is grey"];
const textCompletion = {
  ...head,
  choices: texts.map((text, index) => ({
    index,
    text,
    logprobs: {
      tokens: [...text],
      token_logprobs: [...text].map((_, at) => -at / 8),
      top_logprobs: [...text].map(() => ({})),
      text_offset: [...text].map((_, at) => at),
    },
    finish_reason: "length",
    token_ids: [...text].map((_, at) => 100 + at),
  })),
  usage,
};
const embeddings = {
  object: "list",
  model: "m",
  data: [
    { object: "embedding", index: 0, embedding: [0.25, -1.5e-3, 3] },
    { object: "embedding", index: 1, embedding: "AACAPwAAAEA=" },
  ],
  usage: { prompt_tokens: 11, total_tokens: 11 },
};

const compaction = {
  id: "resp_compacted",
  object: "response.compaction",
  created_at: 1_767_225_600,
  output: [{ id: "cmp_1", type: "compaction", encrypted_content: "c2hvcnRlcg==" }],
  usage: { input_tokens: 11, output_tokens: 5, total_tokens: 16 },
};
const counts = {
  history: null,
  stream: null,
  isRecorded: false,
  isStep: false,
  finish_reason: null,
  completion_tokens: null,
};

/** One chunk per character, choices in turn; then the finish reasons, then the usage. */
function textCompletionStream(): Buffer[] {
  const { choices } = textCompletion;
  const chunk = (members: object): string => JSON.stringify({ ...head, ...members });
  const pieces = [...(texts[0] ?? "")].flatMap((_, at) =>
    choices.map(({ index, text, logprobs, token_ids }) => ({
      index,
      text: text[at],
      logprobs: Object.fromEntries(
        Object.entries(logprobs).map(([name, list]) => [name, list.slice(at, at + 1)]),
      ),
      finish_reason: null,
      token_ids: token_ids.slice(at, at + 1),
    })),
  );
  const ends = choices.map(({ index, finish_reason }) => ({
    index,
    text: "",
    logprobs: null,
    finish_reason,
  }));
  return [
    ...[...pieces, ...ends].map((choice) => chunk({ choices: [choice] })),
    chunk({ choices: [], usage }),
    "[DONE]",
  ].map((data) => Buffer.from(`data: ${data}\n\n`));
}

/** One for each endpoint: the type requires all of them. */
const cases: { readonly [Name in EndpointName]: EndpointCase & { readonly name: Name } } = {
  chat_completions: {
    name: "chat_completions",
    path: "/chat/completions",
    history: { name: "messages", value: messages },
    request: { messages, model: "policy", temperature: 0.5 },
    answer: completion,
    stream: chatStream(completion),
    isRecorded: true,
    isStep: true,
    finish_reason: "stop",
    completion_tokens: 5,
  },
  responses: {
    name: "responses",
    path: "/responses",
    history: { name: "input", value: input },
    request: { input, model: "policy", temperature: 0.5 },
    answer: response,
    stream: responseStream(response),
    isRecorded: true,
    isStep: true,
    finish_reason: "completed",
    completion_tokens: 5,
  },
  completions: {
    name: "completions",
    path: "/completions",
    history: { name: "prompt", value: prompt },
    request: { prompt, model: "policy", temperature: 0.5 },
    answer: textCompletion,
    stream: textCompletionStream(),
    isRecorded: true,
    isStep: true,
    finish_reason: "length",
    completion_tokens: 5,
  },
  embeddings: {
    name: "embeddings",
    path: "/embeddings",
    history: null,
    request: { input: ["Hello", "there"], model: "policy", encoding_format: "base64" },
    answer: embeddings,
    stream: null,
    kept: {
      ...embeddings,
      data: [
        { object: "embedding", index: 0, embedding: { dimensions: 3 } },
        { object: "embedding", index: 1, embedding: { encoding_format: "base64", dimensions: 2 } },
      ],
    },
    isRecorded: true,
    isStep: false,
    finish_reason: null,
    completion_tokens: null,
  },
  messages: {
    name: "messages",
    path: "/messages",
    history: { name: "messages", value: messages },
    request: { messages, model: "policy", max_tokens: 64, system: "Be brief." },
    answer: message,
    stream: messageStream(message),
    isRecorded: true,
    isStep: true,
    finish_reason: "end_turn",
    completion_tokens: 5,
  },
  compact: {
    name: "compact",
    path: "/responses/compact",
    history: { name: "input", value: input },
    request: { input, model: "policy", instructions: "Be brief." },
    answer: compaction,
    stream: null,
    isRecorded: true,
    isStep: true,
    finish_reason: null,
    completion_tokens: 5,
  },
  input_tokens: {
    name: "input_tokens",
    path: "/responses/input_tokens",
    request: { input, model: "policy" },
    answer: { object: "response.input_tokens", input_tokens: 11 },
    ...counts,
  },
  count_tokens: {
    name: "count_tokens",
    path: "/messages/count_tokens",
    request: { messages, model: "policy", system: "Be brief." },
    answer: { input_tokens: 11 },
    ...counts,
  },
  generate_content: {
    name: "generate_content",
    path: "/models/policy:generateContent",
    history: { name: "contents", value: contents },
    request: { contents, generationConfig: { temperature: 0.5 } },
    answer: content,
    stream:
      endpointsByName.generate_content
        .writeStream?.(content, { cut: (text) => [text.slice(0, 5), text.slice(5)] })
        .map((event) => Buffer.from(event)) ?? null,
    isRecorded: true,
    isStep: true,
    finish_reason: "STOP",
    completion_tokens: 5,
  },
  content_tokens: {
    name: "content_tokens",
    path: "/models/policy:countTokens",
    request: { contents },
    answer: { totalTokens: 11, promptTokensDetails: [{ modality: "TEXT", tokenCount: 11 }] },
    ...counts,
  },
};

export const endpointCases: readonly EndpointCase[] = Object.values(cases);

/** Path and body of a case's request, with the model and the wish for a stream where its API says them. */
export function requestOf(
  { name, request }: Pick<EndpointCase, "name" | "request">,
  { model = "policy", stream }: { readonly model?: string; readonly stream?: boolean } = {},
): { readonly path: string; readonly body: Readonly<Record<string, unknown>> } {
  const endpoint = endpointsByName[name];
  const path = requestPath(endpoint, { model, stream: stream === true });
  if (namesModel(endpoint)) return { path, body: request };
  return { path, body: { ...request, model, ...(stream === undefined ? {} : { stream }) } };
}

export const answerBytes = (each: EndpointCase): Buffer => jsonBytes(each.answer);
