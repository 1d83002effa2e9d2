/** Shown in place of a secret. */
const mask = "***";

/** Replaces secrets by `***`, also where they are escaped as in JSON or in a URL. */
export class SecretMask {
  /** Longest first: one may be part of another. */
  readonly #forms: readonly string[];

  constructor(secrets: readonly (string | null | undefined)[]) {
    const forms = new Set(secrets.flatMap((secret) => (secret ? spellings(secret) : [])));
    this.#forms = [...forms].sort((one, other) => other.length - one.length);
  }

  /** Whether a secret occurs in a text. */
  isIn(text: string): boolean {
    return this.#forms.some((form) => text.includes(form));
  }

  /** How many characters a secret has at most; 0: there is none. */
  get longest(): number {
    return this.#forms[0]?.length ?? 0;
  }

  /** The same for UTF-8; the very bytes that it was given where no secret is in them. */
  applyToBytes(bytes: Uint8Array): Uint8Array {
    const { buffer, byteOffset, byteLength } = bytes;
    const text = Buffer.from(buffer, byteOffset, byteLength);
    if (!this.#forms.some((form) => text.includes(form))) return bytes;
    return Buffer.from(this.apply(text.toString()));
  }

  apply(text: string): string {
    return this.#forms.reduce((masked, form) => masked.replaceAll(form, mask), text);
  }
}

function spellings(secret: string): readonly string[] {
  const inUrl = new URLSearchParams([["", secret]]).toString().slice(1);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    inUrl,
  ];
}
