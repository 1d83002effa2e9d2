import type { TableModel } from "@proj/trading-client/wire";
import { tables } from "@proj/trading-client/wire";
import type { TableChange } from "../engine/table-change.ts";
import type { PaperMarket } from "../market/paper-market.ts";

/** A change of sums over all accounts, which no token of one account gets. */
export const nobody = "";

const owned: readonly TableModel[] = ["OpenPosition", "ClosedPosition", "Order", "OCO", "Account"];

/** Whose rows pushed changes are about: only the insert of a row names its account. */
export class RowOwners {
  readonly #owners = new Map<string, string>();
  readonly #idsByName: ReadonlyMap<string, string>;

  constructor(market: PaperMarket) {
    const accounts = market.snapshot("Account");
    this.#idsByName = new Map(accounts.map((row) => [row.accountName, row.accountId]));
    for (const model of owned) for (const row of market.snapshot(model)) this.#learn(model, row);
  }

  /** Must be called with each change, in order. @returns an account; null: the change is everybody's */
  ownerOf({ model, record }: TableChange): string | null {
    if (model === "Summary") return nobody;
    if (!owned.includes(model)) return null;
    if (record.action === "I") this.#learn(model, record);
    const key = keyOf(model, record);
    const owner = this.#owners.get(key) ?? nobody;
    if (record.action === "D") this.#owners.delete(key);
    return owner;
  }

  #learn(model: TableModel, row: object): void {
    const { accountId, accountName }: Readonly<Record<string, unknown>> = { ...row };
    const owner = accountId ?? this.#idsByName.get(String(accountName)) ?? nobody;
    this.#owners.set(keyOf(model, row), String(owner));
  }
}

const keyOf = (model: TableModel, row: object): string =>
  `${model} ${Object(row)[tables[model].key]}`;
