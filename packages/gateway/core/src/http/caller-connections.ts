import type { Server } from "node:http";
import type { Socket } from "node:net";
import { maxFileDescriptors, openFileDescriptors } from "../metrics/file-descriptors.ts";

/** Beyond the limit, this many connections get an error answer; further ones are closed without one. */
const maxTold = 64;
/** How long a connection beyond the limit may take to send its request, which is refused, in milliseconds. */
const tellMs = 1_000;

/** Callers' connections: counted, and limited so that each can have one to an upstream. */
export class CallerConnections {
  /** Counted since the start. */
  accepted = 0;
  /** Closed because there were too many, with or without a 503. */
  dropped = 0;
  readonly #open = new Set<Socket>();
  readonly #beyond = new Set<Socket>();
  #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get open(): number {
    return this.#open.size + this.#beyond.size;
  }

  /** Whether the connection's requests are refused. */
  isBeyond(socket: Socket): boolean {
    return this.#beyond.has(socket);
  }

  watch(server: Server): void {
    server.on("listening", () => {
      this.#limit = Math.min(this.#limit, descriptorsForCallers());
      server.maxConnections = this.#limit + maxTold;
    });
    server.on("drop", () => {
      this.dropped += 1;
    });
    server.on("connection", (socket: Socket) => {
      const isBeyond = this.#open.size >= this.#limit;
      const among = isBeyond ? this.#beyond : this.#open;
      among.add(socket);
      socket.once("close", () => among.delete(socket));
      if (!isBeyond) this.accepted += 1;
      else {
        this.dropped += 1;
        setTimeout(() => socket.destroy(), tellMs).unref();
      }
    });
  }
}

/** Half of what is left: every request may need its own connection to an upstream. */
function descriptorsForCallers(): number {
  const most = maxFileDescriptors();
  const open = openFileDescriptors();
  if (most === null || open === null) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.floor((most - open - maxTold) / 2));
}
