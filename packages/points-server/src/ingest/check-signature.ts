import { Webhook, WebhookVerificationError } from "standardwebhooks";

export interface SignedRequest {
  /** As Node gives them: names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it came. */
  readonly body: string | Uint8Array;
  /** `whsec_` and base64, as the Standard Webhooks convention writes it. */
  readonly secret: string;
}

export type SignatureCheck =
  | { readonly ok: true /** `webhook-id`: of the message. */; readonly id: string }
  | { readonly ok: false /** For people; holds no secret. */; readonly reason: string };

const headerNames = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/**
 * Whether the request was signed as the Standard Webhooks convention says: HMAC-SHA256 over
 * id.timestamp.body, at most five minutes ago. A message that is sent again has a good signature; its
 * events are known by their ids.
 * @throws TypeError the secret is none
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
  // The library reads as much of a number as it finds, and would sign what it read.
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
    // Said below: the library's words may hold it.
  }
  throw new TypeError("the secret for signatures must be whsec_ and base64");
}
