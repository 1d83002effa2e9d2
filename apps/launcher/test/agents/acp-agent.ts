import { writeFile } from "node:fs/promises";
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream } from "@agentclientprotocol/sdk";

/** An agent over the protocol: asks the model once in each turn, and writes its words into `turns.txt` as a tool. */
const { OPENAI_BASE_URL, OPENAI_MODEL: model } = process.env;
const content: string[] = [];

await agent({ name: "writer" })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: "s" }))
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const [block] = params.prompt;
    content.push(block?.type === "text" ? block.text : "");
    const tell = (update: object) => client.notify("session/update", { sessionId: "s", update });
    const answer = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model, messages: [{ role: "user", content: content.at(-1) }] }),
    });
    const { choices } = (await answer.json()) as { choices: { message: { content: string } }[] };
    const text = choices[0]?.message.content ?? "";
    const toolCallId = `call-${content.length}`;
    await tell({ sessionUpdate: "tool_call", toolCallId, title: "write", kind: "edit" });
    await writeFile("turns.txt", content.join("\n"));
    await tell({ sessionUpdate: "tool_call_update", toolCallId, status: "completed" });
    const chunk = { type: "text", text };
    await tell({ sessionUpdate: "agent_message_chunk", content: chunk });
    return { stopReason: "end_turn" };
  })
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout),
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  ).closed;
