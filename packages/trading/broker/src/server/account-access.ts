import type { TableModel, TableRecords } from "@proj/trading-client/wire";
import { RefusalError, refuse } from "../engine/refusal.ts";
import type { PaperMarket } from "../market/paper-market.ts";

type Row = TableRecords[TableModel];

/** What a token of one account may see and do. */
export class AccountAccess {
  readonly accountId: string;
  readonly #market: PaperMarket;

  constructor(market: PaperMarket, accountId: string) {
    this.#market = market;
    this.accountId = accountId;
  }

  /** The rows of a snapshot that are its account's, or everybody's. @throws RefusalError */
  rows<Model extends TableModel>(model: Model): readonly TableRecords[Model][] {
    // Its figures are sums over all accounts.
    if (model === "Summary")
      throw new RefusalError(refuse.notOffered("Sums over all accounts (Summary)"));
    return this.#market.snapshot(model).filter((row) => this.#isVisible(row));
  }

  /** @param request the fields of a command @throws RefusalError it is about another account */
  check(type: string, request: object): void {
    if (type === "update_subscriptions")
      throw new RefusalError(refuse.notOffered("Changes of the instruments for all accounts"));
    const fields: Readonly<Record<string, unknown>> = { ...request };
    const { account_id, trade_id, order_id, ocoBulkId = 0 } = fields;
    if (account_id !== undefined && account_id !== this.accountId)
      throw new RefusalError(refuse.unknownAccount(String(account_id)));
    if (trade_id !== undefined && !this.#has("OpenPosition", "tradeId", trade_id))
      throw new RefusalError(refuse.unknownTrade(String(trade_id)));
    const lists = [fields.orderIds, fields.addOrderIds, fields.removeOrderIds];
    for (const orderId of [order_id ?? [], lists.map((list) => list ?? [])].flat(2))
      if (!this.#has("Order", "orderId", orderId))
        throw new RefusalError(refuse.unknownOrder(String(orderId)));
    if (ocoBulkId !== 0 && !this.#has("OCO", "ocoBulkId", ocoBulkId))
      throw new RefusalError(refuse.ocoGroup(`There is no group ${ocoBulkId}`));
  }

  #has(model: TableModel, key: string, id: unknown): boolean {
    return this.rows(model).some((row) => Object(row)[key] === id);
  }

  #isVisible(row: Row): boolean {
    if ("accountId" in row) return row.accountId === this.accountId;
    if ("accountName" in row) return row.accountName === this.#accountName;
    const [, ofAccount = this.accountId] =
      "name" in row ? (/^account_currency_(.+)$/.exec(row.name) ?? []) : [];
    return ofAccount === this.accountId;
  }

  get #accountName(): string | undefined {
    const rows = this.#market.snapshot("Account");
    return rows.find(({ accountId }) => accountId === this.accountId)?.accountName;
  }
}
