import {
  isTableModel,
  type PriceUpdate,
  parseTimeFrame,
  type TableModel,
  tables,
} from "@proj/trading-client/wire";
import { RefusalError, refuse } from "../engine/refusal.ts";
import { totalsOf } from "../engine/snapshot.ts";
import type { Faults } from "../faults/faults.ts";
import type { PaperMarket } from "../market/paper-market.ts";
import { type Answer, executed, refused } from "../wire/answers.ts";
import type { FormReader } from "../wire/form-reader.ts";
import { isCommandType, readCommand } from "../wire/read-command.ts";
import type { AccountAccess } from "./account-access.ts";
import type { Connection } from "./connection.ts";
import { answerClosedPositions, answerTransactions } from "./history-answers.ts";

export interface ResourceParts {
  readonly market: PaperMarket;
  readonly faults: Faults;
}

export interface TradingRequest {
  readonly method: string;
  /** Without a trailing slash. */
  readonly path: string;
  readonly form: FormReader;
  readonly connection: Connection;
}

/** For every account and symbol; each is "enabled", "disabled" or "hidden". */
const permissions = {
  createMarket: "enabled",
  createEntry: "enabled",
  createOCO: "enabled",
  netStopLimit: "enabled",
} as const;

/**
 * Answers a request for one of the interface's resources.
 * @returns null: no such resource
 * @throws RefusalError
 * @throws StateError
 */
export function answerRequest(parts: ResourceParts, request: TradingRequest): Answer | null {
  const { market } = parts;
  const { method, path, form, connection } = request;
  const [root = "", name = "", last, ...more] = path.slice(1).split("/");
  if (more.length > 0) return null;
  const resource = `${method} ${root}${name === "" ? "" : `/${name}`}`;
  if (last !== undefined) {
    if (method === "GET" && root === "candles") return answerCandles(market, name, last, form);
    if (resource !== "GET trading/get_model") return null;
    const model = modelNamed(last === "Accounts" ? "Account" : last);
    return snapshots(market, [model], connection);
  }
  switch (resource) {
    case "GET trading/get_model":
      return snapshots(market, readModels(form), connection);
    case "GET trading/get_instruments":
      return executed({ data: { instrument: market.instruments() } });
    case "POST subscribe": {
      const symbols = readSymbols(market, form);
      for (const symbol of symbols) connection.symbols.add(symbol);
      return executed({ pairs: pricesOf(market, symbols) });
    }
    case "POST unsubscribe": {
      const symbols = readSymbols(market, form);
      for (const symbol of symbols) connection.symbols.delete(symbol);
      // Names, which clients use to remove their listeners.
      return executed({ pairs: symbols });
    }
    case "GET trading/transactions":
      return answerTransactions(market, form, accountsOf(market, connection));
    case "GET trading/closed_positions":
      return answerClosedPositions(market, form, accountsOf(market, connection));
    case "POST trading/settle_request":
      return executed({
        data: market.history.settle(form.text("request_id"), accountsOf(market, connection)),
      });
    case "GET trading/permissions":
      return executed({ data: permissions });
    case "POST trading/changePassword":
      throw new RefusalError(refuse.notOffered("Passwords"));
    case "GET logout":
    case "POST logout":
      // After the answer has been sent.
      setImmediate(() => connection.drop());
      return executed();
    case "POST trading/subscribe":
      for (const model of readModels(form)) {
        connection.access?.rows(model);
        connection.models.add(model);
      }
      return executed();
    case "POST trading/unsubscribe":
      for (const model of readModels(form)) connection.models.delete(model);
      return executed();
    default:
      return method === "POST" && root === "trading" ? answerCommand(parts, name, request) : null;
  }
}

function answerCommand(
  { market, faults }: ResourceParts,
  type: string,
  { form, connection }: TradingRequest,
) {
  if (!isCommandType(type)) return null;
  const request = readCommand(type, form);
  connection.access?.check(type, request);
  if (faults.refuses(type)) return refused(refuse.injectedFault());
  const result = market.execute(type, request);
  if (!result.executed) return refused(result.refusal);
  return result.data === null ? executed() : executed({ data: result.data });
}

/** `num` is ignored if `from` and `to` are given. */
function answerCandles(market: PaperMarket, offer_id: string, period_id: string, form: FormReader) {
  const about = { instrument_id: offer_id, period_id };
  try {
    const frame = parseTimeFrame(period_id);
    if (frame === undefined) throw new RefusalError(refuse.invalidField("period_id", period_id));
    const span = form.optionalNumbers("from", "to");
    const isSpan = span.from !== undefined && span.to !== undefined;
    const query = {
      offer_id: /^\d+$/.test(offer_id) ? Number(offer_id) : -1,
      frame,
      num: isSpan ? 1 : form.number("num"),
      ...(isSpan ? span : {}),
    };
    const result = market.candles(query);
    if (!result.executed) return refused(result.refusal, { ...about, candles: [] });
    const { candles } = result;
    if (candles.length > 0) return executed({ ...about, candles });
    return { response: { executed: false, error: "" }, ...about, candles };
  } catch (error) {
    if (error instanceof RefusalError) return refused(error.refusal, { ...about, candles: [] });
    throw error;
  }
}

function snapshots(
  market: PaperMarket,
  models: readonly TableModel[],
  { access }: Connection,
): Answer {
  return executed(Object.fromEntries(models.map((model) => snapshot(market, model, access))));
}

function snapshot(
  market: PaperMarket,
  model: TableModel,
  access: AccountAccess | null,
): [member: string, rows: unknown] {
  const rows = access === null ? market.snapshot(model) : access.rows(model);
  const totals = totalsOf(model, rows);
  return [tables[model].member, totals === null ? rows : [...rows, totals]];
}

/** The accounts that a connection may see. */
function accountsOf(market: PaperMarket, { access }: Connection): readonly string[] {
  return (access?.rows("Account") ?? market.snapshot("Account")).map(({ accountId }) => accountId);
}

function readModels(form: FormReader): readonly TableModel[] {
  return form.requiredList("models").map(modelNamed);
}

function modelNamed(name: string): TableModel {
  if (isTableModel(name)) return name;
  throw new RefusalError(refuse.invalidField("models", name, "is not a table"));
}

/** Refuses the request unless all symbols are known. */
function readSymbols(market: PaperMarket, form: FormReader): readonly string[] {
  const symbols = form.requiredList("pairs");
  const known = new Set(market.instruments().map(({ symbol }) => symbol));
  const unknown = symbols.find((symbol) => !known.has(symbol));
  if (unknown !== undefined) throw new RefusalError(refuse.unknownSymbol(unknown));
  return symbols;
}

function pricesOf(market: PaperMarket, symbols: readonly string[]): readonly PriceUpdate[] {
  return symbols.map((symbol) => market.price(symbol)).filter((price) => price !== null);
}
