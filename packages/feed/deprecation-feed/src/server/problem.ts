import { STATUS_CODES } from "node:http";

/** An error answer: a problem document (RFC 9457). */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.status = status;
    this.headers = headers;
  }

  toJSON(): { title: string; status: number; detail: string } {
    return { title: STATUS_CODES[this.status] ?? "", status: this.status, detail: this.message };
  }
}
