import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { BufferedBytes, BufferedBytesLease } from "../call/body-memory.ts";
import { asGatewayError, type CallError, GatewayError } from "../errors/gateway-error.ts";
import type { BodyPace } from "../http/read-body.ts";
import { Lookout, type Watched } from "../waiting/lookout.ts";
import { errorOf } from "./server-events.ts";

/** Watches a frame while it arrives: its bytes are in memory, and must keep coming, as those of a request's body. */
export class FrameArrival implements Watched {
  place: Watched["place"] = null;

  readonly #ws: WebSocket;
  readonly #pace: Pick<BodyPace, "idleMs" | "totalMs">;
  readonly #buffered: BufferedBytes;
  readonly #lease: BufferedBytesLease;
  #began: number | null = null;
  #heard = 0;

  constructor(
    ws: WebSocket,
    socket: Duplex,
    pace: Pick<BodyPace, "idleMs" | "totalMs">,
    buffered: BufferedBytes,
  ) {
    this.#ws = ws;
    this.#pace = pace;
    this.#buffered = buffered;
    this.#lease = buffered.lease();
    // Before the WebSocket's own listener, which may find the frame to be whole.
    socket.prependListener("data", (chunk: Buffer) => this.#take(chunk.length));
    const end = (): void => this.#end();
    ws.on("message", end).on("ping", end).on("pong", end).once("close", end);
  }

  /** Only for the lookout. */
  look(now: number): void {
    const { idleMs, totalMs } = this.#pace;
    const began = this.#began ?? now;
    if (now >= began + totalMs) this.#cut(late(`was not whole within ${totalMs} ms`));
    else if (now >= this.#heard + idleMs) this.#cut(late(`paused for ${idleMs} ms`));
    else lookout.watch(this, Math.min(began + totalMs, this.#heard + idleMs));
  }

  #take(bytes: number): void {
    try {
      this.#buffered.checkRoom(bytes);
    } catch (error) {
      this.#cut(asGatewayError(error));
      return;
    }
    this.#lease.grow(bytes);
    this.#heard = performance.now();
    if (this.#began !== null) return;
    this.#began = this.#heard;
    lookout.watch(this, this.#began + Math.min(this.#pace.idleMs, this.#pace.totalMs));
  }

  #end(): void {
    this.#lease.release();
    this.#began = null;
    lookout.forget(this);
  }

  #cut(error: CallError): void {
    this.#end();
    this.#ws.send(errorOf(error), () => {});
    this.#ws.terminate();
  }
}

const lookout = new Lookout();

const late = (what: string): GatewayError =>
  new GatewayError("request_timeout", `A frame ${what}.`);
