import { ApiError, type TableModel, type TableRow, type TradingClient } from "@proj/trading-client";
import { ToolError } from "../calls/tool-error.ts";
import { UnknownOutcomes } from "../calls/unknown-outcomes.ts";

export interface ContextOptions {
  readonly account_id: string | null;
  readonly timeoutMs: number;
  readonly executionTimeoutMs: number;
}

/** Shared by the tools: the client, and the account they may use. */
export class ToolContext {
  readonly client: TradingClient;
  readonly outcomes: UnknownOutcomes;
  readonly timeoutMs: number;
  /** How long to wait for a market order, in milliseconds. */
  readonly executionTimeoutMs: number;
  readonly #only: string | null;

  constructor(client: TradingClient, options: ContextOptions) {
    const { account_id, timeoutMs, executionTimeoutMs } = options;
    this.client = client;
    this.outcomes = new UnknownOutcomes(client, timeoutMs);
    this.timeoutMs = timeoutMs;
    this.executionTimeoutMs = executionTimeoutMs;
    this.#only = account_id;
  }

  rows<Model extends TableModel>(
    model: Model,
    signal?: AbortSignal,
  ): Promise<readonly TableRow<Model>[]> {
    const { client, timeoutMs } = this;
    return client.snapshot(model, { timeoutMs, ...(signal === undefined ? {} : { signal }) });
  }

  /** @throws ToolError the server is for another account, or no account has this id */
  async account(given: string | undefined, signal?: AbortSignal): Promise<TableRow<"Account">> {
    if (given !== undefined && this.#only !== null && given !== this.#only) {
      const message = `This server trades account ${this.#only} only; leave account_id out.`;
      throw new ToolError("not_allowed", message);
    }
    const accounts = await this.rows("Account", signal);
    const id = this.#only ?? given;
    const account = id === undefined ? accounts[0] : accounts.find((row) => row.accountId === id);
    if (account !== undefined) return account;
    const ids = accounts.map(({ accountId }) => accountId).join(", ");
    throw new ToolError("not_found", `There is no account ${id}; the accounts are: ${ids}.`);
  }

  /** The currency of an account's money: the server's property for it or for all accounts, else dollars. */
  async currencyOf({ accountId }: TableRow<"Account">, signal?: AbortSignal): Promise<string> {
    const properties = await this.rows("Properties", signal);
    const valueNamed = (name: string) => properties.find((row) => row.name === name)?.value;
    return valueNamed(`account_currency_${accountId}`) ?? valueNamed("account_currency") ?? "USD";
  }

  /** Trades closed in the last days of the market's time. @throws ToolError the broker keeps no history */
  async closedSince(
    { accountId: account_id }: TableRow<"Account">,
    days: number,
    signal?: AbortSignal,
  ): Promise<readonly TableRow<"ClosedPosition">[]> {
    const offers = await this.rows("Offer", signal);
    const now = Math.max(...offers.map(({ time }) => time?.epochMilliseconds ?? 0));
    const from = { epochMilliseconds: now - days * 24 * 60 * 60_000 };
    const options = { timeoutMs: this.timeoutMs, ...(signal === undefined ? {} : { signal }) };
    return this.client.closedPositions({ account_id, from }, options).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      const message = "This broker keeps no history: leave days out to see this trading day.";
      throw new ToolError("not_found", message, {}, error);
    });
  }

  /** Rows of one account. */
  async rowsOf<Model extends "OpenPosition" | "Order" | "ClosedPosition">(
    model: Model,
    { accountName }: TableRow<"Account">,
    signal?: AbortSignal,
  ): Promise<readonly TableRow<Model>[]> {
    const rows = await this.rows(model, signal);
    return rows.filter((row) => "accountName" in row && row.accountName === accountName);
  }

  /** @throws ToolError no account of this server has such an open trade */
  async openTrade(trade_id: string): Promise<TableRow<"OpenPosition">> {
    const rows = await this.#ownRows("OpenPosition");
    const row = rows.find(({ tradeId }) => tradeId === trade_id);
    if (row !== undefined) return row;
    throw new ToolError("not_found", `There is no open trade ${trade_id}: see list_positions.`);
  }

  /** @throws ToolError no account of this server has such an order */
  async order(order_id: string): Promise<TableRow<"Order">> {
    const rows = await this.#ownRows("Order");
    const row = rows.find(({ orderId }) => orderId === order_id);
    if (row !== undefined) return row;
    throw new ToolError("not_found", `There is no order ${order_id}: see list_orders.`);
  }

  async #ownRows<Model extends "OpenPosition" | "Order">(
    model: Model,
  ): Promise<readonly TableRow<Model>[]> {
    if (this.#only === null) return this.rows(model);
    return this.rowsOf(model, await this.account(undefined));
  }
}
