import Anthropic from "@anthropic-ai/sdk";
import { type Content, GoogleGenAI, Type } from "@google/genai";
import OpenAI from "openai";
import { ResponsesWS } from "openai/resources/responses/ws";

type Response = OpenAI.Responses.Response;
type Item = OpenAI.Responses.ResponseInputItem;
type Named = Pick<OpenAI.Responses.ResponseCreateParams, "previous_response_id" | "conversation">;
type Ask = (body: OpenAI.Responses.ResponseCreateParamsNonStreaming) => Promise<Response>;

const model = "policy";
const system = "be brief";
const questions = ["look around", "And 1 + 1?"];
const seen = "a door";
const look = { name: "look", description: "Looks around." };
const parameters = { type: "object" as const, properties: { where: { type: "string" } } };

/** Plays one task in the session at a base URL. */
export type Play = (baseURL: string) => Promise<void>;

/** The task by OpenAI's client: each request has all items, or says in which way those before are kept. */
export const openai =
  (kept: "nothing" | "responses" | "conversation"): Play =>
  async (baseURL) => {
    const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
    const ask: Ask = (body) => client.responses.create(body);
    if (kept === "nothing") return respond(ask, null);
    if (kept === "responses")
      return respond(ask, (last) => ({ previous_response_id: last?.id ?? null }));
    const { id } = await client.conversations.create({});
    await respond(ask, () => ({ conversation: id }));
  };

/** The task by OpenAI's client over one WebSocket. */
export const openaiSocket: Play = async (baseURL) => {
  const ws = new ResponsesWS(new OpenAI({ baseURL, apiKey: "none" }));
  const ask: Ask = (body) =>
    new Promise((resolve, reject) => {
      ws.once("response.completed", ({ response }) => resolve(response));
      ws.once("error", reject);
      ws.send({ type: "response.create", ...body });
    });
  try {
    await respond(ask, (last) => ({ previous_response_id: last?.id ?? null }));
  } finally {
    ws.close();
  }
};

/** @param name says what a request continues; null: it repeats everything */
async function respond(ask: Ask, name: ((last: Response | null) => Named) | null): Promise<void> {
  const tools = [{ type: "function" as const, ...look, parameters, strict: null }];
  const items: Item[] = [];
  let last: Response | null = null;
  const turn = async (...added: Item[]): Promise<Response> => {
    items.push(...added);
    const more = name === null ? { input: items } : { input: added, ...name(last) };
    last = await ask({ model, instructions: system, tools, ...more });
    items.push(...(last.output as Item[]));
    return last;
  };
  for (const content of questions) {
    let { output } = await turn({ role: "user", content });
    for (let call = output.at(-1); call?.type === "function_call"; call = output.at(-1))
      ({ output } = await turn({
        type: "function_call_output",
        call_id: call.call_id,
        output: seen,
      }));
  }
}

/** The task by the runner of Anthropic's client, which asks for message threads by itself. */
export const anthropicRunner: Play = async (baseURL) => {
  const { beta } = new Anthropic({ baseURL, apiKey: "none", maxRetries: 0 });
  const tool = {
    ...{ type: "custom" as const, ...look, input_schema: parameters },
    run: async () => seen,
    parse: (given: unknown) => given,
  };
  const messages: Anthropic.Beta.BetaMessageParam[] = [];
  for (const content of questions) {
    messages.push({ role: "user", content });
    const runner = beta.messages.toolRunner({
      model,
      max_tokens: 99,
      system,
      tools: [tool],
      messages,
    });
    await runner.runUntilDone();
    messages.splice(0, messages.length, ...runner.params.messages);
  }
};

/** The task by Google's client, which repeats everything. */
export const google: Play = async (baseUrl) => {
  const { models } = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl } });
  const place = { where: { type: Type.STRING } };
  const functionDeclarations = [{ ...look, parameters: { type: Type.OBJECT, properties: place } }];
  const config = { systemInstruction: system, tools: [{ functionDeclarations }] };
  const contents: Content[] = [];
  for (const text of questions) {
    contents.push({ role: "user", parts: [{ text }] });
    for (;;) {
      const answer = await models.generateContent({ model, contents, config });
      contents.push(answer.candidates?.[0]?.content ?? {});
      const [call] = answer.functionCalls ?? [];
      if (call === undefined) break;
      const functionResponse = { ...call, response: { output: seen } };
      contents.push({ role: "user", parts: [{ functionResponse }] });
    }
  }
};

/** The task by OpenAI's client over chat completions, which repeats everything. */
export const openaiChat: Play = async (baseURL) => {
  const { chat } = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
  const tools = [{ type: "function" as const, function: { ...look, parameters } }];
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "system", content: system }];
  for (const content of questions) {
    messages.push({ role: "user", content });
    for (;;) {
      const { choices } = await chat.completions.create({ model, messages, tools });
      const message = choices[0]?.message;
      if (message === undefined) throw new Error("the model said nothing");
      messages.push(message);
      const [call] = message.tool_calls ?? [];
      if (call === undefined) break;
      messages.push({ role: "tool", tool_call_id: call.id, content: seen });
    }
  }
};
