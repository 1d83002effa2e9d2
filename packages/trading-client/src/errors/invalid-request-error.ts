/** A request that cannot be right, and was not sent. */
export class InvalidRequestError extends TypeError {
  override readonly name: string = "InvalidRequestError";
  /** The member that is wrong. */
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}
