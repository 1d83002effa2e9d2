import { ApiError, FunctionCallingConfigMode, GoogleGenAI, Type } from "@google/genai";
import { expect, test } from "vitest";
import type { DemoUpstreamOptions } from "../src/index.ts";
import { start } from "./start.ts";

async function client(options: DemoUpstreamOptions = {}): Promise<GoogleGenAI["models"]> {
  const { url } = await start(options);
  const httpOptions = { baseUrl: new URL(url).origin, retryOptions: { attempts: 1 } };
  return new GoogleGenAI({ apiKey: "any", httpOptions }).models;
}

const question = { model: "demo", contents: "What is 19 + 23?" };
const look = {
  name: "look",
  parameters: {
    type: Type.OBJECT,
    properties: { at: { type: Type.STRING }, far: { type: Type.INTEGER } },
  },
};

test("a content answers, and its stream adds up to the same", async () => {
  const models = await client();
  const asked = { ...question, config: { systemInstruction: "Be brief." } };
  const whole = await models.generateContent(asked);
  expect(whole.text).toBe("19 + 23 = 42");
  expect(whole.candidates?.[0]?.finishReason).toBe("STOP");
  let text = "";
  let last: typeof whole | undefined;
  for await (const chunk of await models.generateContentStream(asked)) {
    text += chunk.text ?? "";
    last = chunk;
  }
  expect([text, last?.usageMetadata]).toEqual([whole.text, whole.usageMetadata]);
  expect(last?.responseId).toBe(whole.responseId);
  const { totalTokens } = await models.countTokens(question);
  expect(totalTokens).toBeGreaterThan(0);
});

test("a function is called, and its result is answered in text", async () => {
  const models = await client({ toolRounds: 1 });
  const config = { tools: [{ functionDeclarations: [look] }] };
  const called = await models.generateContent({ ...question, config });
  const [call] = called.functionCalls ?? [];
  expect(call).toMatchObject({ name: "look", args: { at: question.contents, far: 1 } });
  const contents = [
    { role: "user", parts: [{ text: question.contents }] },
    { role: "model", parts: [{ functionCall: call ?? {} }] },
    { role: "user", parts: [{ functionResponse: { name: "look", response: { seen: "a door" } } }] },
  ];
  const answered = await models.generateContent({ ...question, contents, config });
  expect(answered.text).toMatch("After one tool call: 19 + 23 = 42");
  const mode = FunctionCallingConfigMode.NONE;
  const toolConfig = { functionCallingConfig: { mode } };
  const plain = await models.generateContent({ ...question, config: { ...config, toolConfig } });
  expect(plain.functionCalls).toBeUndefined();
});

test("limits, candidates and schemas are honoured", async () => {
  const models = await client();
  const cut = await models.generateContent({ ...question, config: { maxOutputTokens: 1 } });
  expect(cut.candidates?.[0]?.finishReason).toBe("MAX_TOKENS");
  const two = await models.generateContent({ ...question, config: { candidateCount: 2 } });
  expect(two.candidates).toHaveLength(2);
  const responseSchema = { type: Type.OBJECT, properties: { sum: { type: Type.STRING } } };
  const json = { responseMimeType: "application/json", responseSchema };
  const { text } = await models.generateContent({ ...question, config: json });
  expect(JSON.parse(text ?? "")).toEqual({ sum: "19 + 23 = 42" });
});

test("errors have Google's form, and its key is known", async () => {
  const models = await client({ models: ["other"], apiKey: "any" });
  const asked = models.generateContent(question);
  await expect(asked).rejects.toThrow(ApiError);
  await expect(asked).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining('"status":"NOT_FOUND"'),
  });
  const many = models.generateContent({
    ...question,
    model: "other",
    config: { candidateCount: 99 },
  });
  await expect(many).rejects.toMatchObject({ status: 400 });
});
