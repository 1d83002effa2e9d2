import { connectTrading, NotConnectedError } from "@proj/trading-client";

const [, , url = "", token = ""] = process.argv;
const client = await connectTrading({ url, token });
client.on("closed", ({ error }) => console.log(`closed: ${error}`));
await client.subscribeTable("Order");
const prices = client.prices(["EUR/USD"]);
const price = prices.next();
const waiting = client.instruments().catch((error: unknown) => {
  if (error instanceof NotConnectedError) console.log(`${error.name}: ${error.reason}`);
});
await client.updateSubscriptions({ symbol: "EUR/USD", visible: true });
await client.close();
await waiting;
if ((await price).done === true) console.log("no more prices");
