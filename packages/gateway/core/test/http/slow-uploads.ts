import { sessionKey } from "@proj/gateway-protocol";
import { type RawConnection, rawRequest } from "@proj/test-kit";
import type { TestGateway } from "../start-gateway.ts";
import type { ReadAnswer } from "./error-answer.ts";
import { readRawAnswers } from "./raw-answers.ts";

export const session_secret = "the secret of all sessions";
export const kibibyte = 1_024;

export const pathOf = (session_id: string): string => `/v1/sessions/${session_id}/chat/completions`;

export const keyOf = (session_id: string): { authorization: string } => ({
  authorization: `Bearer ${sessionKey(session_secret, session_id)}`,
});

/** Begins a body of this length with the session's key, and sends part of it. */
export function beginUpload(
  { port }: TestGateway,
  session_id: string,
  length: number,
  sent: number,
): Promise<RawConnection> {
  const head = [
    `POST ${pathOf(session_id)} HTTP/1.1`,
    "host: localhost",
    `authorization: ${keyOf(session_id).authorization}`,
    `content-length: ${length}`,
  ].join("\r\n");
  return rawRequest(port, `${head}\r\n\r\n${" ".repeat(sent)}`);
}

export async function answerOn(connection: RawConnection): Promise<ReadAnswer> {
  const [answer] = readRawAnswers(await connection.readUntilClosed());
  if (answer === undefined) throw new Error("the request was not answered");
  return answer;
}

/** The bytes of bodies that the gateway has in memory. */
export async function buffered({ url }: TestGateway): Promise<number> {
  const page = await (await fetch(`${url}/metrics`)).text();
  return Number(/^gateway_buffered_bytes (\d+)$/m.exec(page)?.[1]);
}
