import {
  type Command,
  defineCommand,
  exitCode,
  oneOf,
  optional,
  ProgramError,
} from "@proj/program";
import { serverUrl, tokenFor } from "./server-option.ts";

const timeoutMs = 60_000;

/** Prints a server's report on an account. */
export const report: Command = defineCommand({
  name: "report",
  summary: "print what an account did: trades, equity curve, drawdown, profit factor",
  about:
    "Prints what an account on a running server did, as JSON or CSV. The token comes from an environment variable, so that process lists do not show it.",
  variables: { PAPER_TRADING_TOKEN: "a token of the server" },
  options: {
    url: serverUrl,
    account: optional("ID", "the account; default: the server's first one"),
    format: oneOf("FORMAT", ["json", "csv"], "json or csv; default: json"),
    part: oneOf(
      "PART",
      ["summary", "symbols", "days", "trades", "equity"],
      "only this part; default: everything as JSON, the summary as CSV",
    ),
  },
  async run({ options: { url, account, format, part } }, { signal }) {
    const token = tokenFor(url);
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ account_id: account, format, part }))
      if (value !== null) query.set(name, value);
    const body = await ask(new URL(`control/report?${query}`, withSlash(url)), token, signal);
    process.stdout.write(body.endsWith("\n") ? body : `${body}\n`);
    return exitCode.done;
  },
});

async function ask(address: URL, token: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const body = await response.text();
    if (response.status === 401) throw new Error("it does not accept the token");
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    // Refusals have status 200, as everywhere in the interface.
    const refusal = /^\{"response":/.test(body) ? Object(JSON.parse(body)).message : undefined;
    if (refusal !== undefined) throw new Error(refusal);
    const leftOut = response.headers.get("x-left-out");
    if (leftOut !== null) console.error(`The oldest rows of long lists are left out: ${leftOut}`);
    return body;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const reason = error instanceof Error ? (error.cause ?? error) : error;
    const why = reason instanceof Error ? reason.message : String(reason);
    throw new ProgramError(`${address.origin} gave no report: ${why}`, exitCode.failed, {
      cause: error,
    });
  }
}

const withSlash = (url: string): string => (url.endsWith("/") ? url : `${url}/`);
