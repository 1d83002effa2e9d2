import { connect, createServer } from "node:net";
import { listen } from "@proj/test-kit";

export type Loss = "request" | "answer" | null;

export interface LossyNetwork extends AsyncDisposable {
  readonly url: string;
  /** Decides, by the text of a POST, what of it is lost. */
  lose: (post: string) => Loss;
}

/** A network between clients and a server that loses a request on its way there, or its answer on the way back. */
export async function lossyNetwork(target: string): Promise<LossyNetwork> {
  const server = createServer((socket) => {
    const to = connect(Number(new URL(target).port), "127.0.0.1");
    for (const end of [socket, to]) end.on("error", () => {});
    socket.once("close", () => to.destroy());
    to.once("close", () => socket.destroy());
    let isAnswerLost = false;
    let text = "";
    to.on("data", (chunk) => {
      if (isAnswerLost) socket.resetAndDestroy();
      else socket.write(chunk);
    });
    socket.on("data", (chunk) => {
      text += String(chunk);
      if (!text.startsWith("POST /trading/")) {
        to.write(text === String(chunk) ? chunk : text);
        text = "";
        return;
      }
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      const body = text.indexOf("\r\n\r\n") + 4;
      if (body < 4 || text.length < body + length) return;
      const loss = network.lose(text);
      isAnswerLost = loss === "answer";
      if (loss === "request") socket.resetAndDestroy();
      else to.write(text);
      text = "";
    });
  });
  const { url, close } = await listen(server);
  const network: LossyNetwork = {
    url,
    lose: () => null,
    [Symbol.asyncDispose]: async () => {
      await close();
    },
  };
  return network;
}
