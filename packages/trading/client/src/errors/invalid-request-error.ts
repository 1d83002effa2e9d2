/** The request is invalid and was not sent. */
export class InvalidRequestError extends TypeError {
  override readonly name: string = "InvalidRequestError";
  /** The invalid member. */
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}
