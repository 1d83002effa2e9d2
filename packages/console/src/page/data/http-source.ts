import { type LiveEvent, type Source, SourceError } from "./source.ts";

const keyName = "gateway-key";
const askTimeoutMs = 30_000;

export class HttpSource implements Source {
  readonly isLive = true;
  #sessionsPath: Promise<string> | null = null;

  async ask<Body>(path: string, signal?: AbortSignal): Promise<Body> {
    const timeout = AbortSignal.timeout(askTimeoutMs);
    const response = await this.#fetch(
      path,
      signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    );
    const body = await response.json().catch(() => null);
    if (!response.ok) throw new SourceError(response.status, messageOf(body, response.status));
    return body;
  }

  sessionsPath(): Promise<string> {
    this.#sessionsPath ??= this.#readSessionsPath();
    return this.#sessionsPath;
  }

  useKey(key: string): void {
    // Of this tab alone, and gone with it.
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

  /** `/readyz` says it also while the gateway is not ready. */
  async #readSessionsPath(): Promise<string> {
    const response = await this.#fetch("/readyz", AbortSignal.timeout(askTimeoutMs));
    const { base_session_path } = await response.json().catch(() => ({}));
    return base_session_path ?? "/v1/sessions";
  }

  async #fetch(path: string, signal: AbortSignal): Promise<Response> {
    const key = sessionStorage.getItem(keyName);
    const headers: HeadersInit = key === null ? {} : { authorization: `Bearer ${key}` };
    try {
      const response = await fetch(path, { signal, headers, credentials: "omit" });
      delete document.documentElement.dataset.server;
      return response;
    } catch (error) {
      if (signal.aborted && !(signal.reason instanceof DOMException)) throw error;
      if (signal.aborted && signal.reason.name === "AbortError") throw error;
      document.documentElement.dataset.server = "gone";
      throw new SourceError(0, "The gateway does not answer. What is shown is old.");
    }
  }
}

function messageOf(body: unknown, status: number): string {
  const error = typeof body === "object" && body !== null && "error" in body ? body.error : null;
  if (typeof error === "object" && error !== null && "message" in error)
    return String(error.message);
  return `The gateway answered ${status}.`;
}
