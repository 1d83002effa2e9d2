import { type Ranking, rankingNames } from "@proj/points-client/wire";
import type { Accounts } from "../accrual/accounts.ts";
import type { AddressBook } from "../accrual/address-book.ts";
import { pieceSize } from "../accrual/column.ts";
import type { SwapRules } from "../accrual/swap-rules.ts";
import { giveWay } from "../scheduling/give-way.ts";
import { entriesOf } from "./entry-lines.ts";
import { RankingDraft } from "./ranking-draft.ts";

const accountsPerStep = 64;

/** All content of a snapshot, before it is written. */
export interface SnapshotDraft {
  readonly book: AddressBook;
  readonly rankings: Map<Ranking, RankingDraft>;
}

/**
 * Drafts all rankings at the same time, so that an account's numbers are formatted once. Uses up the accounts.
 * @param domains by addresses
 */
export function draftSnapshot(
  accounts: Accounts,
  rules: SwapRules,
  domains: ReadonlyMap<string, string>,
): SnapshotDraft {
  const { book } = accounts;
  const drafts = rankingNames.map((ranking) => [ranking, new RankingDraft(book)] as const);
  for (let number = 0; number < book.size; number += 1) {
    if (number % accountsPerStep === 0) giveWay();
    // The drafts grow while the accounts shrink: there is no memory for both.
    if (number > 0 && number % pieceSize === 0) accounts.forget(number / pieceSize - 1);
    const domain = domains.size === 0 ? undefined : domains.get(book.addressOf(number));
    const entries = entriesOf(accounts.earnings(number, rules), domain);
    for (const [ranking, draft] of drafts) {
      const entry = entries[ranking];
      if (entry !== undefined) draft.add(number, entry);
    }
  }
  return { book, rankings: new Map(drafts) };
}
