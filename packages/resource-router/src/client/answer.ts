/** What a server answered, its body read. */
export interface Answer {
  readonly method: string;
  /** Where the answer came from, redirects followed. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}
