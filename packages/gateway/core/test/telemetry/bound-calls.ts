import { waitFor } from "@proj/test-kit";
import type { StepRecord, TestGateway } from "../start-gateway.ts";

export const chatPath = (session_id: string): string =>
  `/v1/sessions/${session_id}/chat/completions`;
export const responsesPath = (session_id: string): string => `/v1/sessions/${session_id}/responses`;

/** A small request for the route `policy`. */
export function chatRequest(members: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: "policy", messages: [{ role: "user", content: "Hello" }], ...members };
}

export function responsesRequest(members: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: "policy", input: "Hello", ...members };
}

/** A request whose caller can leave at any moment. */
export interface LeavableCall {
  readonly answer: Promise<Response>;
  leave(): void;
}

export function beginCall(gateway: TestGateway, path: string, body: unknown): LeavableCall {
  const caller = new AbortController();
  const answer = fetch(gateway.url + path, {
    method: "POST",
    body: JSON.stringify(body),
    signal: caller.signal,
  });
  // A caller that leaves ignores the outcome.
  answer.catch(() => {});
  return { answer, leave: () => caller.abort() };
}

/** The bytes of a request on its own connection, for callers that read an answer byte by byte. */
export function rawPost(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): string {
  const text = JSON.stringify(body);
  return [
    `POST ${path} HTTP/1.1`,
    "host: localhost",
    "connection: close",
    `content-length: ${Buffer.byteLength(text)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    text,
  ].join("\r\n");
}

/** The only row of a session, once it is stored. */
export async function onlyStep(gateway: TestGateway, session_id: string): Promise<StepRecord> {
  const [step, ...others] = await stepsOnceThereAre(gateway, session_id, 1);
  if (step === undefined || others.length > 0)
    throw new Error(`Session ${session_id} has ${others.length + 1} rows instead of one.`);
  return step;
}

/** The rows of a session, once there are `count`. */
export function stepsOnceThereAre(
  gateway: TestGateway,
  session_id: string,
  count: number,
): Promise<StepRecord[]> {
  return waitFor(() => {
    const steps = gateway.steps(session_id);
    return steps.length >= count ? steps : null;
  }, `${count} rows of session ${session_id}`);
}

/** The value of one sample of `/metrics`; 0 if it is missing. */
export async function metric(gateway: TestGateway, sample: string): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  const line = text.split("\n").find((each) => each.startsWith(`${sample} `));
  return line === undefined ? 0 : Number(line.slice(sample.length + 1));
}
