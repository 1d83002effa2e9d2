/** An error, to be written in the form of the API that was called. */
export interface ApiError {
  readonly message: string;
  /** The request's member that is wrong; null if none. */
  readonly param: string | null;
  readonly code: string;
  /** The HTTP status, and the error's type in OpenAI's APIs. */
  readonly kind: { readonly status: number; readonly type: string };
}

/** The body of an error in OpenAI's APIs. */
export function openaiErrorBody({ message, param, code, kind }: ApiError): { error: object } {
  return { error: { message, type: kind.type, param, code } };
}

/** A request's body cannot be read. Callers read the message. */
export class InvalidRequest extends Error {
  override readonly name = "InvalidRequest";
  /** The member that is wrong; null if it is the whole body. */
  readonly param: string | null;

  constructor(message: string, param: string | null = null, options: ErrorOptions = {}) {
    super(message, options);
    this.param = param;
  }
}
