import type { PaperBroker, PaperBrokerConfig } from "@proj/paper-broker";

/** Tells a person at a terminal what runs, and what to type next. */
export function announce(
  { url }: PaperBroker,
  config: PaperBrokerConfig,
  /** A token that was made for this run; null: those of the configuration, which are not shown. */
  token: string | null,
): void {
  const accounts = config.accounts.map(({ account_id }) => account_id).join(", ");
  const lines = [
    `address  ${url}`,
    `page     ${url}/${token === null ? "" : `#token=${token}`}`,
    `token    ${token ?? "one of the configuration's tokens"}`,
    `account  ${accounts}`,
    `state    ${config.state_file ?? "in memory; it ends with this process"}`,
    `bot      const client = await connectTrading({ url: "${url}", token: ${token === null ? "process.env.TOKEN" : `"${token}"`} });`,
  ];
  console.log(lines.join("\n"));
}
