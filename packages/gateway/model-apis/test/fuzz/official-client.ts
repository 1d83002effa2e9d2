import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

export type Json = Record<string, unknown>;

export type StreamedApi = "chat_completions" | "responses" | "messages";

/** The body that the clients get for their next request. */
let body: Uint8Array = new Uint8Array();
const options = {
  apiKey: "none",
  maxRetries: 0,
  logLevel: "off" as const,
  fetch: async (): Promise<Response> =>
    new Response(new Uint8Array(body), { headers: { "content-type": "text/event-stream" } }),
};
const openai = new OpenAI(options);
const anthropic = new Anthropic(options);
const messages = [{ role: "user" as const, content: "Hello" }];
const asked = { model: "m", messages };

const clients: Readonly<Record<StreamedApi, () => Promise<unknown>>> = {
  chat_completions: () => openai.chat.completions.stream(asked).finalChatCompletion(),
  responses: () => openai.responses.stream({ model: "m", input: "Hello" }).finalResponse(),
  messages: () => anthropic.messages.stream({ ...asked, max_tokens: 9 }).finalMessage(),
};

/** What the official client holds at the end of a stream, without what its helpers add. One stream at a time. */
export async function held(api: StreamedApi, bytes: Uint8Array): Promise<unknown> {
  body = bytes;
  return own(await clients[api]());
}

const added = ["parsed", "parsed_arguments", "parsed_output", "output_parsed", "output_text"];

/** Whether an answer says something, or why there is nothing to say. */
export function isAnswer(answer: Json): boolean {
  const { choices, output, content, status, stop_reason } = answer;
  if (Array.isArray(output)) return output.length > 0 && status !== "failed";
  if (Array.isArray(content)) return content.length > 0 || stop_reason !== null;
  const all = choices as { message: Json; finish_reason: string | null }[];
  if (all.every(({ finish_reason }) => finish_reason === "network_error")) return false;
  return all.some(({ message: { role: _, ...said }, finish_reason }) => {
    return finish_reason !== null || Object.values(said).some((each) => String(each ?? "") !== "");
  });
}

/** Only the API's own members, as JSON. */
export const own = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, each) => (added.includes(name) ? undefined : each)));

/** Events as the APIs' own services write them, with their types as names where they have one. */
export function officialBytes(events: readonly unknown[]): Buffer {
  const lines = events.map((event) => {
    if (typeof event === "string") return `data: ${event}\n\n`;
    const { type } = event as { type?: string };
    return `${type === undefined ? "" : `event: ${type}\n`}data: ${JSON.stringify(event)}\n\n`;
  });
  return Buffer.from(lines.join(""));
}
