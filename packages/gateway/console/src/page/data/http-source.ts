import { type LiveEvent, type Source, SourceError } from "./source.ts";
import { triedAgain } from "./tried-again.ts";

const keyName = "gateway-key";
const askTimeoutMs = 30_000;
/** Models take their time, and so does draining a route. */
const sendTimeoutMs = 600_000;

interface Readiness {
  readonly status?: string;
  readonly base_session_path?: string;
}

export class HttpSource implements Source {
  readonly isLive = true;
  #ready: Promise<Readiness> | null = null;

  ask<Body>(path: string, signal?: AbortSignal): Promise<Body> {
    return this.#exchange<Body>(path, signal, askTimeoutMs);
  }

  send<Body>(path: string, body: object, signal?: AbortSignal): Promise<Body> {
    return this.#exchange<Body>(path, signal, sendTimeoutMs, JSON.stringify(body));
  }

  async #exchange<Body>(
    path: string,
    signal: AbortSignal | undefined,
    timeoutMs: number,
    sent?: string,
  ): Promise<Body> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    const response = await this.#fetch(path, either, sent);
    const body = await response.json().catch(() => null);
    if (!response.ok) throw new SourceError(response.status, messageOf(body, response.status));
    return body;
  }

  async sessionsPath(): Promise<string> {
    return (await this.#readiness()).base_session_path ?? "/v1/sessions";
  }

  /** `launcher view` serves a storage without a gateway, and then there is no status. */
  async hasGateway(): Promise<boolean> {
    return (await this.#readiness()).status !== undefined;
  }

  useKey(key: string): void {
    // Only this tab sees it, and it goes when the tab does.
    sessionStorage.setItem(keyName, key);
  }

  async follow(
    path: string,
    onEvent: (event: LiveEvent) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const response = await this.#fetch(path, signal);
    if (!response.ok || response.status === 204 || response.body === null)
      throw new SourceError(response.status, "The session cannot be followed.");
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let unread = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (unread + value).split("\n\n");
      unread = events.pop() ?? "";
      for (const text of events) {
        const event = /^event: (.*)$/m.exec(text)?.[1];
        const data = /^data: (.*)$/m.exec(text)?.[1];
        if (event !== undefined && data !== undefined) onEvent({ event, data: JSON.parse(data) });
      }
    }
  }

  /** `/readyz` also answers while the gateway is not ready. */
  #readiness(): Promise<Readiness> {
    this.#ready ??= this.#fetch("/readyz", AbortSignal.timeout(askTimeoutMs)).then((response) =>
      response.json().catch(() => ({})),
    );
    return this.#ready;
  }

  async #fetch(path: string, signal: AbortSignal, body?: string): Promise<Response> {
    const key = sessionStorage.getItem(keyName);
    const headers = new Headers(key === null ? {} : { authorization: `Bearer ${key}` });
    if (body !== undefined) headers.set("content-type", "application/json");
    const method = body === undefined ? "GET" : "POST";
    try {
      const sent = { method, signal, headers, credentials: "omit" } as const;
      // What is sent may have arrived, so only what is read is tried again.
      const response = await (body === undefined
        ? triedAgain(() => fetch(path, sent), signal)
        : fetch(path, { ...sent, body }));
      delete document.documentElement.dataset.server;
      return response;
    } catch (error) {
      if (signal.aborted && !(signal.reason instanceof DOMException)) throw error;
      if (signal.aborted && signal.reason.name === "AbortError") throw error;
      document.documentElement.dataset.server = "gone";
      throw new SourceError(0, "The gateway does not answer. What you see may be out of date.");
    }
  }
}

function messageOf(body: unknown, status: number): string {
  const error = typeof body === "object" && body !== null && "error" in body ? body.error : null;
  if (typeof error === "object" && error !== null && "message" in error)
    return String(error.message);
  return `The gateway answered ${status}.`;
}
