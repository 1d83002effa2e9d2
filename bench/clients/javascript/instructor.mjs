import Instructor from "@instructor-ai/instructor";
import OpenAI from "openai";
import { z } from "zod/v3";
import { question } from "./tool.mjs";

/** It makes a value of one answer, by a tool that it forces. */
export async function plain({ baseURL, model, apiKey }) {
  const client = Instructor({ client: new OpenAI({ baseURL, apiKey }), mode: "TOOLS" });
  const schema = z.object({ sum: z.number() });
  const { sum } = await client.chat.completions.create({
    model,
    messages: [{ role: "user", content: question }],
    response_model: { schema, name: "Sum" },
    max_retries: 0,
  });
  return typeof sum === "number" ? "42" : "";
}
