import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

export interface OwnAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly code: string;
}

/**
 * The error that answers the first request of a new connection. On a connection that has carried a request
 * before, HAProxy may close without an answer; fetch reuses connections, so it cannot be used here.
 */
export async function errorOnOwnConnection(
  url: string,
  { headers = {}, body }: { headers?: Readonly<Record<string, string>>; body?: object } = {},
): Promise<OwnAnswer> {
  const method = body === undefined ? "GET" : "POST";
  const sent = request(url, { agent: false, method, headers });
  sent.end(body === undefined ? "" : JSON.stringify(body));
  const [answer]: [IncomingMessage] = (await once(sent, "response")) as [IncomingMessage];
  const { error } = JSON.parse(await text(answer)) as { error: Record<string, string> };
  if (Object.keys(error).join() !== "message,type,param,code") throw new Error("not our shape");
  return { status: answer.statusCode, headers: answer.headers, code: error.code ?? "" };
}
