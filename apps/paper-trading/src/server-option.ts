import { UsageError, withDefault } from "@proj/program";

/** The running server that a command asks. */
export const serverUrl: ReturnType<typeof withDefault> = withDefault(
  "URL",
  "where the server listens",
  "http://127.0.0.1:8780",
  { variable: "PAPER_TRADING_URL" },
);

/** The token of the environment. @throws UsageError there is none, or the URL is not one */
export function tokenFor(url: string): string {
  const { PAPER_TRADING_TOKEN: token = "" } = process.env;
  if (token === "") throw new UsageError("set PAPER_TRADING_TOKEN to a token of the server");
  if (!URL.canParse(url)) throw new UsageError(`--url must be a URL, not '${url}'`);
  return token;
}
