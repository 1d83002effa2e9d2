import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream } from "@agentclientprotocol/sdk";

/**
 * An agent that does what its prompt says, a JSON list of requests and updates, and answers with a JSON list of what it
 * got. `wait` is a turn that only a cancellation ends.
 */
const { client } = methods;
let cancelled = (): void => {};

await agent({ name: "scripted" })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: "s" }))
  .onNotification(methods.agent.session.cancel, () => cancelled())
  .onRequest(methods.agent.session.prompt, async ({ params, client: peer }) => {
    const [block] = params.prompt;
    const script: unknown[][] = JSON.parse(block?.type === "text" ? block.text : "[]");
    const got: unknown[] = [];
    for (const [name, value] of script) {
      const given = Object(value);
      if (name === "exit") {
        // Its answers are over before its last words, which somebody else says.
        const stdio = ["ignore", "ignore", "inherit"] as const;
        spawn("sleep 0.05; echo I give up >&2", { shell: true, stdio: [...stdio] });
        process.exit(3);
      }
      if (name === "wait") {
        await new Promise<void>((resolve) => {
          cancelled = resolve;
        });
        return { stopReason: "cancelled" };
      }
      if (name === "update") {
        await peer.notify(client.session.update, { sessionId: "s", update: given });
        continue;
      }
      const answer = await peer
        .request(String(name), { sessionId: "s", ...given })
        .catch((error: Error) => ({ refused: error.message }));
      got.push(answer);
    }
    await peer.notify(client.session.update, {
      sessionId: "s",
      update: {
        sessionUpdate: "agent_message_chunk",
        content: { type: "text", text: JSON.stringify(got) },
      },
    });
    return { stopReason: "end_turn" };
  })
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout),
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  ).closed;
