import type { JsonObject } from "./json-object.ts";

/** An error that is answered in OpenAI's form. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly param: string | null;
  readonly code: string | null;

  constructor(status: number, message: string, param: string | null, code: string | null = null) {
    super(message);
    this.status = status;
    this.param = param;
    this.code = code;
  }

  get body(): JsonObject {
    const type = this.status >= 500 ? "server_error" : "invalid_request_error";
    return { error: { message: this.message, type, param: this.param, code: this.code } };
  }
}
