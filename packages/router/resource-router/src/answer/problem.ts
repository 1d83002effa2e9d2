import type { HeaderFields } from "./header-fields.ts";
import type { ProblemDocument } from "./problem-document.ts";
import { statusTitles } from "./status-titles.ts";

export interface ProblemOptions {
  /** Further members of the document; they replace those that the status sets. */
  readonly members?: ProblemDocument;
  readonly headers?: HeaderFields;
  /** For your logs; never sent. */
  readonly cause?: unknown;
}

/** An error that becomes an answer: an operation may throw it or return it. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly document: ProblemDocument;
  readonly headers: HeaderFields;

  /**
   * @param status an HTTP status from 400 to 599
   * @param detail what went wrong in this case, for people
   */
  constructor(status: number, detail?: string, options: ProblemOptions = {}) {
    const title = statusTitles[status] ?? "Error";
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
