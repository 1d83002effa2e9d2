import {
  formatWireTime,
  type TransactionRecord,
  type TransactionsAnswer,
  transactionTypes,
} from "@proj/trading-client/wire";
import { RefusalError, refuse } from "../engine/refusal.ts";
import type { Transaction } from "../engine/transactions.ts";
import { type Instrument, rateOf } from "../instruments/instrument.ts";
import type { PaperMarket } from "../market/paper-market.ts";
import { type Answer, executed } from "../wire/answers.ts";
import type { FormReader } from "../wire/form-reader.ts";

/** Most rows of an answer. */
const maxRows = 1000;

/** GET /trading/transactions: `account_id` (all accounts), `since`, `num`, `order_id`, `client_tag`, `type`. */
export function answerTransactions(
  market: PaperMarket,
  form: FormReader,
  accountIds: readonly string[],
): Answer {
  const { since = 0, order_id } = form.optionalNumbers("since", "order_id");
  const type = form.optionalText("type");
  const rows = market.history.transactions({
    accountIds: wantedOf(form, accountIds),
    since,
    num: numOf(form),
    orderId: order_id,
    clientTag: form.optionalText("client_tag"),
    type: type === undefined ? undefined : form.member("type", transactionTypes),
  });
  const content: TransactionsAnswer = {
    transactions: rows.flatMap((row) => {
      const instrument = market.instrument(row.symbol);
      return instrument === undefined ? [] : [transactionRecord(instrument, row)];
    }),
    last_id: market.history.lastId,
  };
  return executed({ ...content });
}

/**
 * GET /trading/closed_positions: trades closed on any day, as rows of the table, in order of closing. `account_id`
 * (all accounts), `from` and `to` (seconds since the epoch), `num`, `close_order_id`, `client_tag`.
 */
export function answerClosedPositions(
  market: PaperMarket,
  form: FormReader,
  accountIds: readonly string[],
): Answer {
  const { from = 0, to, close_order_id } = form.optionalNumbers("from", "to", "close_order_id");
  const rows = market.history.closedPositions({
    accountIds: wantedOf(form, accountIds),
    from: from * 1000,
    to: to === undefined ? market.now : to * 1000 + 999,
    num: numOf(form),
    closeOrderId: close_order_id,
    clientTag: form.optionalText("client_tag"),
  });
  return executed({ closed_positions: rows });
}

function wantedOf(form: FormReader, ids: readonly string[]): readonly string[] {
  const wanted = form.optionalText("account_id");
  if (wanted === undefined) return ids;
  if (ids.includes(wanted)) return [wanted];
  throw new RefusalError(refuse.unknownAccount(wanted));
}

function numOf(form: FormReader): number {
  const { num = maxRows } = form.optionalNumbers("num");
  if (Number.isInteger(num) && num >= 1 && num <= maxRows) return num;
  const expected = `must be from 1 to ${maxRows}`;
  throw new RefusalError(refuse.invalidField("num", String(num), expected));
}

function transactionRecord(instrument: Instrument, row: Transaction): TransactionRecord {
  const { id, type, accountId, orderType, amount, clientTag } = row;
  const idText = (number: number): string => (number === 0 ? "" : String(number));
  return {
    ...{ id, type, time: formatWireTime(row.time), accountId, currency: row.symbol },
    ...{ orderId: idText(row.orderId), orderType, tradeId: idText(row.tradeId) },
    ...{ isBuy: row.side === 1, amountK: amount },
    rate: rateOf(instrument, Math.round(row.rate * 1000) / 1000),
    ...{ grossPL: row.grossPL / 100, com: row.commission / 100, roll: row.roll / 100 },
    client_tag: clientTag,
  };
}
