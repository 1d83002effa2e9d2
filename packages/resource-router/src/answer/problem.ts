import { STATUS_CODES } from "node:http";
import type { HeaderFields } from "./header-fields.ts";
import type { ProblemDocument } from "./problem-document.ts";

export interface ProblemOptions {
  /** Further members of the document, or others than the status gives. */
  readonly members?: ProblemDocument;
  readonly headers?: HeaderFields;
  /** For whoever reads the error; never sent. */
  readonly cause?: unknown;
}

/** An error that becomes an answer: an operation may throw it or give it back. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly document: ProblemDocument;
  readonly headers: HeaderFields;

  /**
   * @param status of HTTP, from 400 to 599
   * @param detail what was wrong this time, for a person who reads it
   */
  constructor(status: number, detail?: string, options: ProblemOptions = {}) {
    const title = STATUS_CODES[status] ?? "Error";
    super(detail ?? title, { cause: options.cause });
    this.status = status;
    this.document = { title, status, ...(detail && { detail }), ...options.members };
    this.headers = options.headers ?? {};
  }
}

export function notFound(detail?: string): Problem {
  return new Problem(404, detail);
}

export function badRequest(detail?: string): Problem {
  return new Problem(400, detail);
}
