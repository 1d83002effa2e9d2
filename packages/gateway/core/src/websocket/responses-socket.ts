import type { ClientRequest, IncomingMessage } from "node:http";
import { readRequestBody } from "@proj/model-apis";
import { objectOf, parseJson } from "@proj/model-apis/json";
import type { WebSocket } from "ws";
import { GatewayError, websocketNotSupported } from "../errors/gateway-error.ts";
import type { RouteTable } from "../routes/route-table.ts";
import { type ClientFrame, readClientFrame } from "./client-frame.ts";
import { RememberedAnswers } from "./remembered-answers.ts";
import { errorOf, errorText, eventsOf, preparedAnswer } from "./server-events.ts";

/** Frames that may wait, over all lanes, and lanes that are answered at the same time. */
const maxFrames = 64;
const maxLanes = 16;
/** The API's own limit for a connection, in milliseconds. */
const lifetimeMs = 60 * 60 * 1_000;
const pingMs = 30_000;

const expired = {
  type: "invalid_request_error",
  code: "websocket_connection_limit_reached",
  message:
    "Responses websocket connection limit reached (60 minutes). Create a new websocket connection to continue.",
  param: null,
};
/** After these errors the connection is of no more use. */
const ending = /^(?:session_closed|session_moved|gateway_draining|invalid_api_key)$/;

export interface SocketOptions {
  readonly routes: Pick<RouteTable, "find">;
  /** Sends a request as it would come over HTTP. */
  readonly ask: (body: Buffer, frame: ClientFrame) => ClientRequest;
  /** Whether answers are in rows; otherwise the connection remembers them itself. */
  readonly hasSession: boolean;
  readonly maxFrameBytes: number;
  /** Before a frame is read. @throws GatewayError its caller sends too many */
  readonly check: () => void;
  /** Counts a frame that is not sent as a request. @throws GatewayError its caller sends too many, or may not now */
  readonly admit: () => void;
  /** @throws GatewayError there is no room for the bytes. Returns the function that frees them. */
  readonly hold: (bytes: number) => () => void;
  /** @default an hour */
  readonly lifetimeMs?: number;
}

interface Waiting {
  readonly frame: ClientFrame;
  readonly free: () => void;
}

/** One connection of the Responses API: its frames are requests, in turn within a lane. */
export class ResponsesSocket {
  readonly #ws: WebSocket;
  readonly #options: SocketOptions;
  readonly #memory: RememberedAnswers;
  /** Lanes with frames; the first of each is being answered. */
  readonly #lanes = new Map<string | null, Waiting[]>();
  readonly #asked = new Set<ClientRequest>();
  readonly #timers: readonly NodeJS.Timeout[];
  #waiting = 0;
  #isAlive = true;
  #isExpired = false;

  constructor(ws: WebSocket, options: SocketOptions) {
    this.#ws = ws;
    this.#options = options;
    this.#memory = new RememberedAnswers(options.hold);
    const lifetime = setTimeout(() => this.#expire(), options.lifetimeMs ?? lifetimeMs);
    this.#timers = [lifetime, setInterval(() => this.#ping(), pingMs)];
    ws.on("message", (data: Buffer, isBinary) => this.#receive(data, isBinary));
    ws.on("pong", () => {
      this.#isAlive = true;
    });
    // What is wrong with it also closes it.
    ws.on("error", () => {});
    ws.once("close", () => this.#closed());
  }

  /** Closes once no frame is being answered. */
  end(): void {
    this.#isExpired = true;
    if (this.#lanes.size === 0) this.#ws.close(1001, "the gateway shuts down");
  }

  #receive(data: Buffer, isBinary: boolean): void {
    let frame: ClientFrame | null = null;
    try {
      this.#options.check();
      frame = readClientFrame(data, isBinary);
      if (this.#isExpired) return void this.#send(errorText(400, expired), frame.stream_id);
      if (frame.type === "response.steer") return void this.#refuseSteering(frame);
      const { stream_id } = frame;
      const lane = this.#lanes.get(stream_id);
      if (this.#waiting >= maxFrames || (lane === undefined && this.#lanes.size >= maxLanes))
        throw new GatewayError(
          "rate_limited",
          `A connection takes ${maxFrames} frames at a time, in ${maxLanes} lanes.`,
          { retryAfterMs: 1_000 },
        );
      const free = this.#options.hold(data.length);
      this.#waiting += 1;
      const waiting = { frame, free };
      if (lane !== undefined) lane.push(waiting);
      else {
        this.#lanes.set(stream_id, [waiting]);
        void this.#answerLane(stream_id);
      }
    } catch (error) {
      void this.#refuse(error, frame?.stream_id ?? null);
    }
  }

  /** A frame that nobody is asked about counts too. */
  async #refuse(error: unknown, stream_id: string | null): Promise<void> {
    let told = errorOf(error);
    try {
      this.#options.admit();
    } catch (refusal) {
      told = errorOf(refusal);
    }
    await this.#send(told, stream_id);
    this.#endAfter(told);
  }

  async #answerLane(stream_id: string | null): Promise<void> {
    const lane = this.#lanes.get(stream_id) ?? [];
    for (let next = lane[0]; next !== undefined; next = lane[0]) {
      try {
        await this.#answer(next);
      } catch (error) {
        const told = errorOf(error);
        await this.#send(told, stream_id);
        this.#endAfter(told);
      }
      next.free();
      this.#waiting -= 1;
      lane.shift();
    }
    this.#lanes.delete(stream_id);
    if (this.#isExpired && this.#lanes.size === 0) this.#ws.close(1001);
  }

  async #answer({ frame, free }: Waiting): Promise<void> {
    const { body, generates, stream_id } = frame;
    const { routes, ask, hasSession, maxFrameBytes } = this.#options;
    const { model } = readRequestBody(body, null);
    const route = routes.find(model, "responses");
    if (!route.config.websockets) throw websocketNotSupported();
    const resolved = this.#memory.resolve(body);
    if (!generates) return this.#prepare(resolved, model, stream_id);
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    // The request counts its body itself.
    free();
    const sent = ask(resolved, frame);
    this.#asked.add(sent);
    try {
      for await (const text of eventsOf(await answerTo(sent), maxFrameBytes)) {
        await this.#send(text, stream_id);
        if (!hasSession) this.#rememberIn(text, resolved);
        this.#endAfter(text);
      }
    } catch (cause) {
      if (this.#ws.readyState !== this.#ws.OPEN) return;
      const message = "The answer broke off.";
      throw new GatewayError("upstream_invalid_response", message, { cause });
    } finally {
      this.#asked.delete(sent);
      sent.destroy();
    }
  }

  /** Answers without asking the model; a later request may continue the answer. */
  async #prepare(body: Buffer, model: string, stream_id: string | null): Promise<void> {
    this.#options.admit();
    const { id, response, events } = preparedAnswer(body, model);
    this.#memory.remember(id, body, response);
    for (const event of events) await this.#send(event, stream_id);
  }

  #rememberIn(text: string, body: Buffer): void {
    if (!/"response\.(?:completed|incomplete)"/.test(text.slice(0, 200) + text.slice(-200))) return;
    const event = parseJson(text);
    const response = objectOf(objectOf(event).response);
    if (typeof response.id !== "string") return;
    try {
      this.#memory.remember(response.id, body, JSON.stringify(response));
    } catch (error) {
      // It has its answer; only a later request cannot continue it.
      if (!(error instanceof GatewayError)) throw error;
    }
  }

  #endAfter(text: string): void {
    if (!text.startsWith('{"type":"error"')) return;
    const event = parseJson(text);
    const error = objectOf(objectOf(event).error);
    if (ending.test(String(error.code))) this.#ws.close(1001, String(error.code));
  }

  #refuseSteering({ members: { previous_response_id, input } }: ClientFrame): Promise<void> {
    const error = {
      type: "invalid_request_error",
      code: "steering_not_supported",
      message: "The gateway does not steer answers. Send the input with the next response.create.",
    };
    const steer = { previous_response_id, input };
    const event = { type: "response.steer.failed", sequence_number: 0, error, steer };
    return this.#send(JSON.stringify(event), null);
  }

  /** Resolves once the frame is written, so that nothing is read faster than the caller takes it. */
  #send(text: string, stream_id: string | null): Promise<void> {
    const named =
      stream_id === null ? text : `{"stream_id":${JSON.stringify(stream_id)},${text.slice(1)}`;
    return new Promise((resolve) => {
      if (this.#ws.readyState !== this.#ws.OPEN) resolve();
      else this.#ws.send(named, () => resolve());
    });
  }

  #expire(): void {
    this.#isExpired = true;
    void this.#send(errorText(400, expired), null);
    if (this.#lanes.size === 0) this.#ws.close(1001);
  }

  #ping(): void {
    if (!this.#isAlive) this.#ws.terminate();
    this.#isAlive = false;
    if (this.#ws.readyState === this.#ws.OPEN) this.#ws.ping();
  }

  #closed(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#memory.clear();
    for (const sent of this.#asked) sent.destroy();
    for (const lane of this.#lanes.values())
      for (const { free } of lane.splice(1)) {
        free();
        this.#waiting -= 1;
      }
  }
}

const answerTo = (sent: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", reject);
    sent.once("close", () => reject(new Error("the answer never came")));
  });
