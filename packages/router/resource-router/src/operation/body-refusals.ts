import { Problem } from "../answer/problem.ts";

export function tooLarge(maxBodyBytes: number): Problem {
  return new Problem(413, `The body is larger than ${maxBodyBytes} bytes.`);
}

export function tooSlow(bodyTimeoutMs: number): Problem {
  return new Problem(408, `The body did not arrive within ${bodyTimeoutMs} ms.`);
}

export function callerLeft(): DOMException {
  return new DOMException("The caller disconnected before its body was complete.", "AbortError");
}

/** @throws Problem 415 the body is compressed */
export function requireIdentity(encoding: string | null | undefined): void {
  if ((encoding ?? "identity").toLowerCase() === "identity") return;
  throw new Problem(415, `The body is encoded as '${encoding}'. Send it without an encoding.`, {
    headers: { "accept-encoding": "identity" },
  });
}
