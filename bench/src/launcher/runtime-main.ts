/**
 * A child process of the bench: an agent runtime behind HTTP. It calls the model as often as the
 * simulation says, with a growing history, and returns the result.
 */
import { createServer, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { Agent, request } from "undici";

interface StartRequest {
  readonly llm_base_url: string;
  readonly llm_model: string;
  readonly env_params: { readonly steps: number };
}

const dispatcher = new Agent({ connections: null });

async function play(start: StartRequest): Promise<object> {
  const { steps } = start.env_params;
  const messages: unknown[] = [{ role: "system", content: "You read tide tables." }];
  for (let step = 1; step <= steps; step++) {
    messages.push({ role: "user", content: `What does the table say for hour ${step}?` });
    const { statusCode, body } = await request(`${start.llm_base_url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: start.llm_model, messages }),
      dispatcher,
    });
    if (statusCode !== 200) throw new Error(`step ${step}: ${statusCode} ${await body.text()}`);
    const { choices } = (await body.json()) as { choices: { message: unknown }[] };
    messages.push(choices[0]?.message);
  }
  return { status: "completed", total_reward: 1, step_count: steps };
}

async function answer(incoming: IncomingMessage): Promise<object> {
  try {
    return await play((await json(incoming)) as StartRequest);
  } catch (error) {
    return { status: "failed", error_text: String(error) };
  }
}

const server = createServer(async (incoming, outgoing) => {
  const text = JSON.stringify(await answer(incoming));
  outgoing.writeHead(200, { "content-type": "application/json" }).end(text);
});
server.listen({ port: 0, host: "127.0.0.1", backlog: 512 }, () => {
  const address = server.address();
  if (address !== null && typeof address !== "string") process.send?.({ port: address.port });
});
process.on("disconnect", () => process.exit());
