/** The server refused a request. */
export class RefusalError extends Error {
  override readonly name = "RefusalError";
  /** Method and path of the request. */
  readonly request: string;
  /** See `errorCodes`; null: the server gave none. */
  readonly code: number | null;
  /** The values in the message, such as the number that must divide an amount. */
  readonly parameters: readonly (string | number)[];
  /** The whole answer. */
  readonly answer: Readonly<Record<string, unknown>>;

  constructor(
    request: string,
    refusal: Pick<RefusalError, "code" | "message" | "parameters" | "answer">,
  ) {
    super(refusal.message);
    this.request = request;
    this.code = refusal.code;
    this.parameters = refusal.parameters;
    this.answer = refusal.answer;
  }
}
