import { type ProblemDocument, problemType } from "../answer/problem-document.ts";
import type { Answer } from "./answer.ts";

/** The server's answer is not what the call asked for. */
export class RequestFailedError extends Error {
  override readonly name = "RequestFailedError";
  readonly status: number;
  /** Null: the answer is not a problem document. */
  readonly problem: ProblemDocument | null;
  readonly answer: Answer;

  /** @param what what was wrong; by default taken from the answer */
  constructor(answer: Answer, what?: string) {
    const problem = readProblem(answer);
    const said = problem?.detail ?? problem?.title;
    const reason = what ?? (said === undefined ? "" : `, ${said}`);
    super(`${answer.method} ${answer.url} was answered ${answer.status}${reason}`);
    this.status = answer.status;
    this.problem = problem;
    this.answer = answer;
  }
}

/** Members of a wrong type are ignored (RFC 9457, section 3.1). */
const memberTypes: Readonly<Record<string, string>> = {
  type: "string",
  title: "string",
  status: "number",
  detail: "string",
  instance: "string",
};

function readProblem({ headers, body }: Answer): ProblemDocument | null {
  if (!headers.get("content-type")?.startsWith(problemType)) return null;
  try {
    const document: unknown = JSON.parse(body);
    if (typeof document !== "object" || document === null) return null;
    const members = Object.entries(document).filter(
      ([name, value]) => (memberTypes[name] ?? typeof value) === typeof value,
    );
    return Object.fromEntries(members);
  } catch {
    return null;
  }
}
