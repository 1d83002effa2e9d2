import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { FeedState } from "../collection/feed-state.ts";
import { type FeedItem, feedItems } from "../feeds/feed-item.ts";
import { describeCause } from "../fetching/fetch-error.ts";

export interface WebhookTarget {
  readonly url: string;
  /** A secret of Standard Webhooks: `whsec_` and base64. */
  readonly secret: string;
}

/** The payload of a call, in the form of Standard Webhooks. */
interface ChangeEvent {
  readonly type: "deprecations.changed";
  readonly timestamp: string;
  readonly data: { readonly items: readonly FeedItem[] };
}

const timeoutMs = 15_000;
/** Delays before retries. */
const retryDelaysMs = [1000, 5000];

/** The feed items of a run: models and changes first seen in it. */
export const newItems = ({ catalogue, checked_at }: FeedState): readonly FeedItem[] =>
  feedItems(catalogue).filter(({ date_published }) => date_published === checked_at);

/**
 * Sends the news of a run to a URL, signed with Standard Webhooks. Sends nothing if nothing has changed.
 * @throws Error the delivery failed; the message contains neither the secret nor credentials
 */
export async function notifyOfChanges(
  state: FeedState,
  { url, secret }: WebhookTarget,
  signal?: AbortSignal,
): Promise<void> {
  const items = newItems(state);
  if (items.length === 0) return;
  const event: ChangeEvent = {
    type: "deprecations.changed",
    timestamp: state.checked_at,
    data: { items },
  };
  const body = JSON.stringify(event);
  // The same for every attempt, so that the receiver can recognise a repetition.
  const id = `msg_${randomUUID()}`;
  for (let attempt = 0; ; attempt++) {
    const failure = await send(url, secret, id, body, signal);
    if (failure === null) return;
    const delayMs = retryDelaysMs[attempt];
    if (delayMs === undefined)
      throw new Error(`the webhook at ${new URL(url).host} failed: ${failure}`);
    await delay(delayMs, undefined, { signal });
  }
}

/** @returns why it failed; null: it was delivered */
async function send(
  url: string,
  secret: string,
  id: string,
  body: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const now = new Date();
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": new Webhook(secret).sign(id, now, body),
      },
      body,
      redirect: "error",
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    });
    await response.body?.cancel();
    return response.ok ? null : `status ${response.status}`;
  } catch (error) {
    signal?.throwIfAborted();
    return late.aborted ? `no answer within ${timeoutMs} ms` : describeCause(error);
  }
}
