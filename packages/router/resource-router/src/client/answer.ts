/** A server's answer with its body. */
export interface Answer {
  readonly method: string;
  /** The URL that answered, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}
