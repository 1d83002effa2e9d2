import { encodeForm, type FormFields } from "@proj/trading-client";
import connectSocket from "socket.io-client";
import type { FaultSettings, PaperBroker, PaperBrokerConfig } from "../../src/index.ts";
import { startPaperBroker } from "../../src/index.ts";

export const token = "secret-token-of-the-test";
export const accountId = "1537581";
/** A Monday. */
export const start = "2026-01-12T10:00:00Z";

/** A broker whose market moves only on demand, starting when all instruments have a price. */
export async function serveBroker(
  config: Partial<PaperBrokerConfig> = {},
  log: (message: string) => void = () => {},
): Promise<PaperBroker> {
  const broker = await startPaperBroker(
    {
      tokens: [token],
      accounts: [{ account_id: accountId, balance: 10_000 }],
      prices: { type: "random_walk", seed: 7, start },
      speed: 0,
      ...config,
    },
    { log },
  );
  if (config.state_file === undefined) advance(broker, 10_000);
  return broker;
}

export function advance({ market }: PaperBroker, milliseconds: number): void {
  market.advanceTo(market.now + milliseconds);
}

export interface Bot extends AsyncDisposable {
  readonly id: string;
  /** All pushes, in order: event name and parsed content. */
  readonly pushes: (readonly [event: string, content: Record<string, unknown>])[];
  /** Sends a request; GET fields go into the query, POST fields into a form. */
  get(path: string, fields?: FormFields): Promise<BotAnswer>;
  post(path: string, fields?: FormFields): Promise<BotAnswer>;
  /** Resolves when the server has ended the connection. */
  readonly gone: Promise<string>;
  readonly socket: SocketIOClient.Socket;
}

export interface BotAnswer {
  readonly status: number;
  readonly body: { readonly [member: string]: unknown };
}

/** A bot with plain socket.io-client 2.5.0 and fetch, without our client. */
export async function connectBot(url: string, transports?: string[]): Promise<Bot> {
  const pushes: (readonly [string, Record<string, unknown>])[] = [];
  const socket = connectSocket(url, {
    query: { access_token: token },
    forceNew: true,
    reconnection: false,
    ...(transports === undefined ? {} : { transports }),
  });
  const gone = Promise.withResolvers<string>();
  const connected = Promise.withResolvers<void>();
  socket.on("connect", () => connected.resolve());
  socket.on("connect_error", (error: unknown) => connected.reject(error));
  socket.on("disconnect", (reason: string) => gone.resolve(reason));
  await connected.promise;
  const { id } = socket;
  const headers = { authorization: `Bearer ${id}${token}`, accept: "application/json" };
  const answerOf = async (response: Response): Promise<BotAnswer> => ({
    status: response.status,
    body: Object(await response.json()),
  });
  const listened = new Set<string>();
  const listen = (events: readonly string[]): void => {
    for (const event of events) {
      if (listened.has(event)) continue;
      listened.add(event);
      socket.on(event, (json: unknown) => pushes.push([event, JSON.parse(String(json))]));
    }
  };
  listen([
    "EUR/USD",
    "USD/JPY",
    "GBP/USD",
    "Order",
    "OpenPosition",
    "ClosedPosition",
    "Account",
    "OCO",
  ]);
  return {
    id,
    pushes,
    socket,
    gone: gone.promise,
    get: async (path, fields = {}) =>
      answerOf(await fetch(`${url}${path}?${encodeForm(fields)}`, { headers })),
    post: async (path, fields = {}) =>
      answerOf(
        await fetch(`${url}${path}`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
          body: encodeForm(fields),
        }),
      ),
    [Symbol.asyncDispose]: async () => void socket.close(),
  };
}

/** A market order as in the interface's examples. */
export const marketOrder: FormFields = {
  account_id: accountId,
  symbol: "EUR/USD",
  is_buy: true,
  rate: 0,
  amount: 5,
  order_type: "AtMarket",
  time_in_force: "GTC",
};

export async function setFaults(
  { url }: PaperBroker,
  faults: Partial<FaultSettings> & { readonly drop_connections?: boolean },
): Promise<Response> {
  return fetch(`${url}/control/faults`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: encodeForm({ ...faults }),
  });
}
