import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { type Listening, listen } from "@proj/test-kit";

/** The part of a gateway that a balancer sees: its readiness, and an answer that names it and echoes the body. */
export interface StandIn extends Listening {
  isReady: boolean;
  /** It takes requests and answers none. */
  isFrozen: boolean;
  /** The headers of the latest request that was not a check. */
  latest: IncomingHttpHeaders;
}

/** @param keepsAlive whether a connection carries more than one request besides the checks */
export async function startStandIn(name: string, keepsAlive = true): Promise<StandIn> {
  const server = createServer(async (request, response) => {
    if (standIn.isFrozen) return;
    const status = standIn.isReady ? 200 : 503;
    if (request.url === "/readyz") {
      response.writeHead(status).end();
      return;
    }
    standIn.latest = request.headers;
    const body = await text(request);
    if (request.url === "/breaks-off") response.socket?.destroy();
    else
      response.writeHead(status, keepsAlive ? {} : { connection: "close" }).end(`${name} ${body}`);
  });
  const standIn: StandIn = {
    ...(await listen(server)),
    isReady: true,
    isFrozen: false,
    latest: {},
  };
  return standIn;
}

export const ids: readonly string[] = Array.from({ length: 16 }, (_, number) => `s:${number}`);

/** Which gateway answers each session, and how. */
export function askAll(url: string, spell = (id: string): string => id): Promise<string[]> {
  const ask = async (id: string): Promise<string> => {
    const path = `/v1/sessions/${spell(id)}/chat/completions`;
    const answer = await fetch(url + path, { method: "POST", body: id });
    return `${answer.status} ${await answer.text()}`;
  };
  return Promise.all(ids.map(ask));
}
