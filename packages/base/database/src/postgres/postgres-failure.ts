import { StoreUnavailableError } from "../errors.ts";

/** What is wrong and what to do about it, by SQLSTATE (PostgreSQL, appendix A) or Node's code. */
const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refuses connections: is the server running, and are host and port right?",
  ECONNRESET: "broke off the connection",
  ENOTFOUND: "cannot be found: check the host in db_url",
  EAI_AGAIN: "cannot be found at the moment: name resolution failed",
  EHOSTUNREACH: "cannot be reached: check the network between here and the host",
  ENETUNREACH: "cannot be reached: check the network between here and the host",
  ETIMEDOUT: "does not answer: check host, port and firewalls",
  DEPTH_ZERO_SELF_SIGNED_CERT:
    "shows a certificate that is not trusted: name its authority with sslrootcert",
  SELF_SIGNED_CERT_IN_CHAIN:
    "shows a certificate that is not trusted: name its authority with sslrootcert",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "shows a certificate that is not trusted: name its authority with sslrootcert",
  ERR_TLS_CERT_ALTNAME_INVALID: "shows a certificate of another host",
  "08": "broke off the connection",
  "25006": "is read-only: is it a standby? Connect to the primary",
  "28": "refuses this user: check user, password and the server's pg_hba.conf",
  "3D000": "does not exist: create it, or check the name in db_url",
  "42501": "does not let this user do that: grant it the rights on the schema",
  "53100": "cannot grow: the disk is full",
  "53300": "has no connection left: lower pool_size, or raise max_connections",
  "53": "is out of resources",
  "57014": "took longer than the statement time-out",
  "57P01": "is shutting down",
  "57P02": "is shutting down",
  "57P03": "is starting up or shutting down",
};

/** Messages of pg without a code. */
const sayings: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/, "does not speak TLS: take sslmode out of db_url"],
  [/Query read timeout/, "did not answer in time"],
  [/timeout exceeded when trying to connect|connection timeout/i, "has no connection free in time"],
  [/password must be a string/, "asks for a password: add it to db_url"],
  [/terminated/i, "broke off the connection"],
];

/** Converts an error of the database into one for the store's callers. */
export function storeError(error: unknown): Error {
  const { message, code } = describe(error);
  if (isOfContent(code)) return new ContentRefusedError(message, { cause: error });
  const explanation =
    explanations[code] ??
    explanations[code.slice(0, 2)] ??
    sayings.find(([saying]) => saying.test(message))?.[1];
  const reason = code === "" ? message : `${code}: ${message}`;
  return new StoreUnavailableError(
    explanation === undefined
      ? `The database failed: ${reason}`
      : `The database ${explanation} (${reason})`,
    { cause: error, isMisconfigured: isMisconfigured(code, message) },
  );
}

/** A host without an address does not count: with containers, names come and go with their databases. */
function isMisconfigured(code: string, message: string): boolean {
  const isRefusal = /^(28...|3D000|42501|08P01|.*CERT.*|UNABLE_TO_VERIFY.*)$/.test(code);
  return isRefusal || /does not support SSL|password must be a string/.test(message);
}

/** The database refused the row itself: without its payload it may be accepted. */
export class ContentRefusedError extends Error {
  override readonly name = "ContentRefusedError";
}

/** Whether the connection can still be used after an error of the store. */
export function isSoundAfter(error: unknown): boolean {
  return !(error instanceof StoreUnavailableError) || isWorthAnotherTry(error);
}

/** When transactions conflict, the database refuses one of them, which can be tried again. */
export function isWorthAnotherTry(error: unknown): boolean {
  if (!(error instanceof StoreUnavailableError)) return false;
  return ["40001", "40P01"].includes(describe(error.cause).code);
}

/** Data exceptions, violated constraints, exceeded limits (PostgreSQL, appendix A). */
function isOfContent(code: string): boolean {
  return /^(22|23|54)[0-9A-Z]{3}$/.test(code);
}

function describe(error: unknown): { readonly message: string; readonly code: string } {
  if (!(error instanceof Error)) return { message: String(error), code: "" };
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  // If a host has several addresses, only the inner errors say why none could be reached.
  if (error instanceof AggregateError && error.message === "") {
    return { message: error.errors.map((each) => describe(each).message).join("; "), code };
  }
  return { message: error.message, code };
}
