import { connectTrading, type Price } from "@proj/trading-client";

/**
 * Holds a position while the fast moving average is above the slow one.
 * Arguments: URL, token, number of prices to trade for and, for a backtest that repeats, the market milliseconds
 * between them: then the bot itself moves the market of a server with `speed: 0`.
 */
const [url = "http://127.0.0.1:8780", token = "demo", count = "2000", step = "0"] =
  process.argv.slice(2);
const symbol = "EUR/USD";
const amount = 10;
const fast = 10;
const slow = 40;

const client = await connectTrading({ url, token });
const [account] = await client.snapshot("Account");
if (account === undefined) throw new Error("There is no account to trade with");
const { accountId: account_id, balance } = account;

const rates: number[] = [];
let prices = 0;
let orders = 0;
let isLong = await hasPosition();
for await (const { bid, ask } of Number(step) > 0 ? steps(Number(step)) : client.prices([symbol])) {
  prices += 1;
  rates.push((bid + ask) / 2);
  if (rates.length > slow) rates.shift();
  const isOver = prices > Number(count);
  if (isOver && !isLong) break;
  const isRising = rates.length === slow && average(rates.slice(-fast)) > average(rates);
  const shouldBeLong = isRising && !isOver;
  if (shouldBeLong === isLong) continue;
  try {
    if (shouldBeLong) await buy();
    else await client.closeAllForSymbol({ account_id, symbol });
    orders += 1;
    isLong = shouldBeLong;
  } catch (error) {
    // Refused, or the outcome is unknown: check the positions and go on with the next price.
    console.error(String(error));
    isLong = await hasPosition();
  }
}
const after = (await client.snapshot("Account")).find((row) => row.accountId === account_id);
console.log(`${orders} orders in ${prices - 1} prices: ${balance} became ${after?.balance}`);
await client.close();

/** The price after each step of a market that waits for it. */
async function* steps(milliseconds: number): AsyncGenerator<Price> {
  await client.subscribePrices([symbol]);
  for (let isOver = false; !isOver; ) {
    ({ isOver } = await client.market.advance(milliseconds));
    const price = client.latestPrice(symbol);
    if (price !== null) yield price;
  }
}

async function buy(): Promise<void> {
  const order = await client.placeMarketOrder({ account_id, symbol, is_buy: true, amount });
  await order.ended();
}

async function hasPosition(): Promise<boolean> {
  const positions = await client.snapshot("OpenPosition");
  return positions.some((row) => row.accountId === account_id && row.currency === symbol);
}

function average(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
