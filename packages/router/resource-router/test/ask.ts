import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { onTestFinished } from "vitest";

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request with exactly this target, and reads the whole answer. */
export function ask(port: number, target: string, asked: Asked = {}): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const { method = "GET", headers = {}, body } = asked;
  const onResponse = async (response: IncomingMessage): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const { statusCode: status = 0, headers } = response;
    resolve({ status, headers, text: Buffer.concat(chunks).toString() });
  };
  const sent = request({ host: "127.0.0.1", port, path: target, method, headers });
  sent.on("response", (response) => onResponse(response).catch(reject)).on("error", reject);
  onTestFinished(() => void sent.destroy());
  sent.end(body);
  return promise;
}
