import type { PaperBroker, PaperBrokerConfig } from "@proj/paper-broker";

/** Prints what is running and what to type next. */
export function announce(
  { url }: PaperBroker,
  config: PaperBrokerConfig,
  /** The token generated for this run; null: the configuration's tokens apply, and are not shown. */
  token: string | null,
): void {
  const accounts = config.accounts.map(({ account_id }) => account_id).join(", ");
  const lines = [
    `address  ${url}`,
    `page     ${url}/${token === null ? "" : `#token=${token}`}`,
    `token    ${token ?? "one of the configuration's tokens"}`,
    `account  ${accounts}`,
    `state    ${config.state_file ?? "in memory; lost when this process ends"}`,
    `bot      const client = await connectTrading({ url: "${url}", token: ${token === null ? "process.env.TOKEN" : `"${token}"`} });`,
  ];
  console.log(lines.join("\n"));
}
