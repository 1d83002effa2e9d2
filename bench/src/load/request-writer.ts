import { type BodySource, createBodySource } from "./body-source.ts";
import type { LoadConnection } from "./load-connection.ts";
import type { BodyName, LoadTarget } from "./load-protocol.ts";

/** That share the requests of a round, if there are not more connections. */
const SESSIONS = 64;
/** Complete requests are kept for at most this many sessions. */
const MOST_PREPARED = 1024;

/** Sources live as long as the process: a server's sessions continue in its next round. */
const sources = new Map<string, BodySource>();

/** Writes the requests of one round; the sessions are divided among the connections. */
export class RequestWriter {
  readonly #target: LoadTarget;
  readonly #source: BodySource;
  readonly #connections: number;
  readonly #sessionsEach: number;
  readonly #turns: number[] = [];
  /** Complete requests of sessions whose body never changes. */
  readonly #prepared: Buffer[] = [];

  constructor(target: LoadTarget, body: BodyName, paceMs: number, connections: number) {
    const key = `${target.row} ${target.pid} ${body} ${paceMs}`;
    this.#target = target;
    this.#source = sources.get(key) ?? createBodySource(body, paceMs);
    sources.set(key, this.#source);
    this.#connections = connections;
    this.#sessionsEach = Math.max(1, Math.floor(SESSIONS / connections));
  }

  send(connection: LoadConnection): void {
    const turn = this.#turns[connection.index] ?? 0;
    this.#turns[connection.index] = (turn + 1) % this.#sessionsEach;
    const session = connection.index + turn * this.#connections;
    const prepared = this.#prepared[session];
    if (prepared !== undefined) {
      connection.send(prepared, []);
      return;
    }
    const { sessionId, parts, length } = this.#source.next(session);
    const head =
      `POST ${this.#target.path.replace("{session}", sessionId)} HTTP/1.1\r\n` +
      `host: 127.0.0.1:${this.#target.port}\r\nuser-agent: bench\r\naccept: application/json\r\n` +
      `authorization: Bearer bench\r\n` +
      `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
    if (this.#source.fixed && session < MOST_PREPARED) {
      const whole = Buffer.concat([Buffer.from(head, "latin1"), ...parts]);
      this.#prepared[session] = whole;
      connection.send(whole, []);
    } else {
      connection.send(head, parts);
    }
  }
}
