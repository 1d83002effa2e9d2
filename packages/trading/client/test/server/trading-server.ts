import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { type Listening, listen } from "@proj/test-kit";
import {
  decodeForm,
  isTableModel,
  type PriceUpdate,
  type TableAction,
  type TableModel,
  type TableRecords,
  tables,
} from "@proj/trading-client/wire";
import createSocketServer, { type ServerSocket } from "socket.io-2";
import { type Answer, executed, type Handler, type RecordedRequest } from "./recorded-answers.ts";

type Records = { readonly [Model in TableModel]: Map<string, TableRecords[Model]> };

/** A connection and the events it has subscribed to. */
interface Client {
  readonly socket: ServerSocket;
  readonly events: Set<string>;
}

/**
 * A plain socket.io 2.5.1 server with scripted answers and tables, which can drop, delay, duplicate
 * and refuse.
 */
export class TradingServer implements AsyncDisposable {
  readonly token = "d81a2f6f0c7e4b3a";
  readonly requests: RecordedRequest[] = [];
  /** The queries of all handshakes and upgrades. */
  readonly handshakes: URLSearchParams[] = [];
  /** Status that refuses handshakes; null: accepts those with the right token. */
  handshakeStatus: 400 | 403 | null = null;
  /** Wraps each snapshot; null: snapshots are taken and answered at once. */
  onSnapshot: ((take: () => Answer) => Promise<Answer>) | null = null;
  /** Number of times each push is sent. */
  copies = 1;
  /** Records by their key field as text. */
  readonly tables: Records = {
    Offer: new Map(),
    OpenPosition: new Map(),
    ClosedPosition: new Map(),
    Order: new Map(),
    Summary: new Map(),
    LeverageProfile: new Map(),
    Account: new Map(),
    Properties: new Map(),
    OCO: new Map(),
  };
  readonly #prices = new Map<string, PriceUpdate>();
  readonly #answers = new Map<string, Handler>();
  readonly #clients = new Map<string, Client>();
  readonly #sockets = new Set<Socket>();
  #held: (() => void)[] | null = null;
  #listening: Listening | null = null;

  static async start(): Promise<TradingServer> {
    const server = new TradingServer();
    const http = createServer((request, response) => void server.#serve(request, response));
    http.on("connection", (socket) => {
      server.#sockets.add(socket);
      socket.once("close", () => server.#sockets.delete(socket));
    });
    const io = createSocketServer(http, {
      serveClient: false,
      pingInterval: 25_000,
      pingTimeout: 60_000,
      allowRequest: ({ url = "" }, decide) => {
        const { searchParams } = new URL(url, "http://server");
        const isRight = searchParams.get("access_token") === server.token;
        // Engine.IO answers 400 to its own errors, which are numbers, and 403 to others.
        if (server.handshakeStatus === 400) decide(3, false);
        else if (server.handshakeStatus === 403 || !isRight) decide("forbidden", false);
        else decide(null, true);
      },
    });
    const record = ({ url = "" }: IncomingMessage): void => {
      const { pathname, searchParams } = new URL(url, "http://server");
      const isFirst = !searchParams.has("sid") || searchParams.get("transport") === "websocket";
      if (pathname === "/socket.io/" && isFirst) server.handshakes.push(searchParams);
    };
    http.prependListener("request", record);
    http.prependListener("upgrade", record);
    io.on("connection", (socket) => {
      const { id } = socket.conn;
      server.#clients.set(id, { socket, events: new Set() });
      socket.on("disconnect", () => server.#clients.delete(id));
    });
    server.#listening = await listen(http);
    return server;
  }

  get url(): string {
    return this.#listening?.url ?? "";
  }

  get connectionIds(): readonly string[] {
    return [...this.#clients.keys()];
  }

  /** Sets the answer to a path from now on. @param handler null: the default answer */
  answer(path: string, handler: Handler | null): void {
    if (handler === null) this.#answers.delete(path);
    else this.#answers.set(path, handler);
  }

  /** Reads and answers nothing on its connections, like a stopped process. */
  freeze(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  requestsTo(path: string): RecordedRequest[] {
    return this.requests.filter((request) => request.path === path);
  }

  /** Inserts, updates or deletes a record and pushes the change. */
  change<Model extends TableModel>(
    model: Model,
    action: TableAction,
    record: Partial<TableRecords[Model]>,
  ): void {
    const rows: Map<string, object> = this.tables[model];
    const key = keyOf(model, record);
    if (action === "D") rows.delete(key);
    else rows.set(key, { ...rows.get(key), ...record });
    this.push(model, { ...record, action });
  }

  /** Pushes a value as JSON, or a string as is, to all subscribers. */
  push(event: string, value: object | string): void {
    const payload = typeof value === "string" ? value : JSON.stringify(value);
    for (const { socket, events } of this.#clients.values()) {
      if (!events.has(event)) continue;
      const send = (): void => socket.emit(event, payload);
      for (let copy = 0; copy < this.copies; copy += 1) {
        if (this.#held === null) send();
        else this.#held.push(send);
      }
    }
  }

  /** @param Updated milliseconds */
  price(symbol: string, bid: number, Updated: number): void {
    const update: PriceUpdate = { Updated, Rates: [bid, bid + 1, 1.3, 1.1], Symbol: symbol };
    this.#prices.set(symbol, update);
    this.push(symbol, update);
  }

  get isHolding(): boolean {
    return this.#held !== null;
  }

  /** Holds back pushes, in order, until `releasePushes`. */
  holdPushes(): void {
    this.#held ??= [];
  }

  releasePushes(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const send of held) send();
  }

  /** Ends all streaming connections; held pushes are lost. */
  dropConnections(): void {
    this.#held &&= [];
    for (const { socket } of this.#clients.values()) socket.conn.close(true);
    this.#clients.clear();
  }

  /** Forgets all connections, as if they had ended. */
  forget(): void {
    this.#clients.clear();
  }

  /** Cuts all connections, including requests in flight. */
  cut(): void {
    this.#clients.clear();
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listening?.close();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", headers } = incoming;
    const { pathname, search } = new URL(incoming.url ?? "", "http://server");
    const body = await text(incoming);
    const fields = decodeForm(method === "GET" ? search : body);
    const request: RecordedRequest = { method, path: pathname, headers, fields };
    this.requests.push(request);
    const answer = await this.#answerTo(request);
    if (answer === "hang") return;
    if (answer === "reset") {
      incoming.socket.destroy();
      return;
    }
    response.writeHead(answer.status ?? 200, { "content-type": "application/json" });
    response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
  }

  #answerTo(request: RecordedRequest): ReturnType<Handler> {
    const { authorization } = request.headers;
    const client = [...this.#clients].find(([id]) => authorization === `Bearer ${id}${this.token}`);
    if (client === undefined) return { status: 401, body: { message: "unauthorized" } };
    const handler = this.#answers.get(request.path);
    if (handler !== undefined) return handler(request);
    const { events } = client[1];
    const models = request.fields.get("models") ?? [];
    const pairs = request.fields.get("pairs") ?? [];
    switch (request.path) {
      case "/subscribe":
        for (const pair of pairs) events.add(pair);
        return executed({ pairs: pairs.flatMap((pair) => this.#prices.get(pair) ?? []) });
      case "/unsubscribe":
        for (const pair of pairs) events.delete(pair);
        return executed({ pairs: [] });
      case "/trading/subscribe":
        for (const model of models) events.add(model);
        return executed();
      case "/trading/unsubscribe":
        for (const model of models) events.delete(model);
        return executed();
      case "/trading/get_model":
        return this.#snapshot(models);
      default:
        return { status: 404, body: "not found" };
    }
  }

  /** Each table ends with a row of totals. */
  #snapshot(models: readonly string[]): Answer | Promise<Answer> {
    const take = (): Answer => {
      const members = models.filter(isTableModel).map((model) => {
        const rows: readonly object[] = [...this.tables[model].values()];
        return [tables[model].member, [...rows, { isTotal: true }]];
      });
      return executed(Object.fromEntries(members));
    };
    return this.onSnapshot === null ? take() : this.onSnapshot(take);
  }
}

function keyOf(model: TableModel, record: object): string {
  const fields: Readonly<Record<string, unknown>> = { ...record };
  return String(fields[tables[model].key]);
}
