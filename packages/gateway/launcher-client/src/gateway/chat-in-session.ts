import { objectOf } from "@proj/model-apis/json";
import { closeSession } from "./close-session.ts";
import type { GatewayClient } from "./gateway-client.ts";

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** Asks models in sessions of its own. */
export interface SessionCaller {
  readonly gateway: GatewayClient;
  /** The key for such a session; null: the gateway requires none. */
  readonly llmApiKey: (session_id: string) => string | null;
}

export interface SessionChat {
  readonly llm_model: string;
  readonly messages: readonly ChatMessage[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * The text that a route answers, as a step of a session.
 * @throws Error there is none; the signal's reason
 */
export async function chatInSession(
  { gateway, llmApiKey }: SessionCaller,
  session_id: string,
  { llm_model, messages, timeoutMs, signal }: SessionChat,
): Promise<string> {
  const base = await gateway.sessionBaseUrl(session_id, { signal });
  const key = llmApiKey(session_id);
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (key !== null) headers.authorization = `Bearer ${key}`;
  const answer = await fetch(`${base}/chat/completions`, {
    method: "POST",
    headers,
    body: JSON.stringify({ model: llm_model, messages }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`status ${answer.status}: ${text.slice(0, 500)}`);
  const { choices } = objectOf(JSON.parse(text));
  const [first]: unknown[] = Array.isArray(choices) ? choices : [];
  const { content } = objectOf(objectOf(first).message);
  if (typeof content === "string") return content;
  throw new Error("the answer has no text");
}

/** The gateway needs the session no longer. If it is away, it drops it itself when it has been idle. */
export async function leaveSession(
  gateway: GatewayClient,
  session_id: string,
  reason: string,
): Promise<void> {
  const { closed } = await closeSession(gateway, session_id, { reason, timeoutMs: 10_000 }).catch(
    () => ({ closed: false }),
  );
  if (closed) await gateway.clean(session_id).catch(() => false);
}
