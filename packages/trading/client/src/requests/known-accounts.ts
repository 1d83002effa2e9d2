import { InvalidRequestError } from "../errors/invalid-request-error.ts";
import { isJsonObject } from "../reading/json-objects.ts";
import { looksLikeAccountName } from "../wire/index.ts";

/** The accounts in the Account table, once it has been read. */
export class KnownAccounts {
  readonly #idsByName = new Map<string, string>();

  /** @param rows of the Account table */
  learn(rows: Iterable<unknown>): void {
    for (const row of rows) {
      if (!isJsonObject(row)) continue;
      const { accountId, accountName } = row;
      if (typeof accountName === "string") this.#idsByName.set(accountName, String(accountId));
    }
  }

  /** @throws InvalidRequestError it is an account's name instead of its id */
  check(account_id: string): void {
    const id = this.#idsByName.get(account_id);
    const isName = this.#idsByName.size > 0 ? id !== undefined : looksLikeAccountName(account_id);
    if (!isName || id === account_id) return;
    const hint = id === undefined ? "usually the name without its leading zeros" : `here ${id}`;
    throw new InvalidRequestError(
      "account_id",
      `${account_id} is an account's name: send its id (accountId of the Account table), ${hint}`,
    );
  }
}
