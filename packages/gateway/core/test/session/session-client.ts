import type {
  CleanBody,
  ErrorBody,
  LatestSuccessStepBody,
  SessionStatusBody,
} from "@proj/gateway-protocol";
import { waitFor } from "@proj/test-kit";
import type { TestGateway } from "../start-gateway.ts";

export interface ChatOptions {
  /** @default "demo" */
  readonly model?: string;
  /** @default false */
  readonly stream?: boolean;
  /** The message. @default a new text each time, so that no request is another's retry */
  readonly content?: string;
  readonly signal?: AbortSignal;
}

export interface Reply<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** What an agent and a launcher do with one session. */
export interface SessionClient {
  readonly session_id: string;
  chat(options?: ChatOptions): Promise<Response>;
  close(body?: unknown, query?: string): Promise<Reply<SessionStatusBody>>;
  /** Closes it, and waits until it is closed. */
  closeAndWait(body?: unknown): Promise<SessionStatusBody>;
  clean(): Promise<Reply<CleanBody>>;
  status(): Promise<SessionStatusBody>;
  latestSuccessStep(model?: string): Promise<LatestSuccessStepBody>;
}

let said = 0;

export function sessionClient(gateway: TestGateway, session_id: string): SessionClient {
  const path = `/v1/sessions/${session_id}`;
  const get = async (suffix: string): Promise<Response> => fetch(gateway.url + path + suffix);
  const close = async (body?: unknown, query = ""): Promise<Reply<SessionStatusBody>> =>
    reply(
      await fetch(`${gateway.url}${path}/close${query}`, {
        method: "POST",
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  return {
    session_id,
    chat: ({ model = "demo", stream = false, content = `Hello ${++said}`, signal } = {}) =>
      fetch(`${gateway.url}${path}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model, stream, messages: [{ role: "user", content }] }),
        ...(signal === undefined ? {} : { signal }),
      }),
    close,
    closeAndWait: async (body) => {
      const { body: status } = await close(body, "?wait=30");
      if (status.status !== "closed") throw new Error(`${session_id} is still ${status.status}`);
      return status;
    },
    clean: async () => reply(await gateway.post(`${path}/clean`, {})),
    status: async () => (await reply<SessionStatusBody>(await get(""))).body,
    latestSuccessStep: async (model = "demo") =>
      (await reply<LatestSuccessStepBody>(await get(`/latest-success-step?model=${model}`))).body,
  };
}

export async function reply<Body>(response: Response): Promise<Reply<Body>> {
  const { status, headers } = response;
  return { status, headers, body: (await response.json()) as Body };
}

/** Status, code and `x-should-retry` of an error, in one line. */
export async function refusal(response: Response): Promise<string> {
  const { status, headers, body } = await reply<ErrorBody>(response);
  return `${status} ${body.error.code}, retry ${headers.get("x-should-retry")}`;
}

/** Resolves when the session has `count` requests in flight. */
export async function inFlight(client: SessionClient, count: number): Promise<void> {
  const has = async (): Promise<boolean> => {
    const status = await client.status();
    return status.in_flight === count;
  };
  await waitFor(has, `${count} requests of ${client.session_id} in flight`);
}
