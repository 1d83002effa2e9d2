import { createAgent, tool } from "langchain";
import { z } from "zod";
import { add, question } from "./tool.mjs";

/** The calls that every chat model of LangChain takes alike. @param open makes the model of a session */
export const callsOf = (open) => ({
  async plain(session) {
    return (await open(session).invoke(question)).text;
  },

  async streamed(session) {
    let text = "";
    for await (const chunk of await open(session).stream(question)) text += chunk.text;
    return text;
  },

  /** On LangGraph. */
  async tools(session) {
    const { name, description, run } = add;
    const schema = z.object({ a: z.number(), b: z.number() });
    const adding = tool(run, { name, description, schema });
    const agent = createAgent({ model: open(session), tools: [adding] });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: question }] });
    return messages.at(-1).text;
  },
});
