/** Shown in place of a secret. */
const mask = "***";

/** Replaces secrets by `***`, even where they are escaped as in JSON or in a URL. */
export class SecretMask {
  /** Longest first: one may be part of another. */
  readonly #forms: readonly string[];

  constructor(secrets: readonly (string | null | undefined)[]) {
    const forms = new Set(secrets.flatMap((secret) => (secret ? spellings(secret) : [])));
    this.#forms = [...forms].sort((one, other) => other.length - one.length);
  }

  /** Whether a text contains a secret. */
  isIn(text: string): boolean {
    return this.#forms.some((form) => text.includes(form));
  }

  /** Length of the longest secret in characters; 0 if there is none. */
  get longest(): number {
    return this.#forms[0]?.length ?? 0;
  }

  /** apply for UTF-8 bytes; returns the very bytes it was given if they contain no secret. */
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
