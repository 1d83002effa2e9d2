import { Webhook, WebhookVerificationError } from "standardwebhooks";

export interface SignedRequest {
  /** As in Node: names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body. */
  readonly body: string | Uint8Array;
  /** `whsec_` and base64, as in Standard Webhooks. */
  readonly secret: string;
}

export type SignatureCheck =
  | { readonly ok: true /** The message's `webhook-id`. */; readonly id: string }
  | { readonly ok: false /** For people; contains no secret. */; readonly reason: string };

const headerNames = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/**
 * Checks a signature of Standard Webhooks: HMAC-SHA256 over id.timestamp.body, at most five minutes old. A
 * repeated message has a valid signature too; its events are recognised by their ids.
 * @throws TypeError the secret is invalid
 */
export function checkSignature({ headers, body, secret }: SignedRequest): SignatureCheck {
  const webhook = createWebhook(secret);
  const signed: Record<string, string> = {};
  for (const name of headerNames) {
    const value = headers[name];
    if (typeof value !== "string" || value === "") {
      return { ok: false, reason: `the header ${name} is missing` };
    }
    signed[name] = value;
  }
  // The library parses as much of a number as it can, and would verify just that part.
  if (!/^\d{1,15}$/.test(signed["webhook-timestamp"] ?? "")) {
    return { ok: false, reason: "webhook-timestamp must be Unix seconds" };
  }
  try {
    webhook.verify(Buffer.from(body), signed, { jsonParse: false });
    return { ok: true, id: signed["webhook-id"] ?? "" };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { ok: false, reason: error.message };
  }
}

function createWebhook(secret: string): Webhook {
  const form = /^whsec_[A-Za-z0-9+/]+={0,2}$/;
  try {
    if (form.test(secret)) return new Webhook(secret);
  } catch {
    // Thrown below: the library's message may contain the secret.
  }
  throw new TypeError("the secret for signatures must be whsec_ followed by base64");
}
