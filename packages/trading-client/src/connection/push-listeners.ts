export type PushListener = (payload: unknown) => void;

/** The part of socket.io-client 2.5.0 that is given each message of a connection. */
interface Decoder {
  add(message: unknown): void;
}

/** A socket of socket.io-client, whose own types are not there for those who use this package. */
interface Socket {
  readonly connected: boolean;
  readonly io: object;
  on(event: string, listener: PushListener): unknown;
  off(event: string): unknown;
}

/**
 * One listener for each name, which hears of pushes as soon as they come. The way of
 * socket.io-client, from one emitter to the next, takes longer than to read what a push says.
 */
export class PushListeners {
  readonly #socket: Socket;
  readonly #listeners = new Map<unknown, PushListener>();

  /** @param onMalformed told of a message that is none of the protocol; nobody else could catch it */
  constructor(socket: Socket, onMalformed: (error: unknown) => void) {
    this.#socket = socket;
    const { decoder } = socket.io as { readonly decoder: Decoder };
    const add = decoder.add.bind(decoder);
    decoder.add = (message) => {
      if (socket.connected && this.#take(message)) return;
      try {
        add(message);
      } catch (error) {
        onMalformed(error);
      }
    };
  }

  on(event: string, listener: PushListener): void {
    this.#listeners.set(event, listener);
    this.#socket.on(event, listener);
  }

  off(event: string): void {
    this.#listeners.delete(event);
    this.#socket.off(event);
  }

  /** @returns false: it is something else than a push that is listened to, or a rarer form of it */
  #take(message: unknown): boolean {
    const values = eventOf(message);
    const listener = this.#listeners.get(values?.[0]);
    listener?.(values?.[1]);
    return listener !== undefined;
  }
}

/**
 * The name and the values of an event in the default namespace that awaits no answer (packet type
 * 2 of the protocol's version 4, followed by the list at once); null: the message is not such an event.
 */
function eventOf(message: unknown): readonly unknown[] | null {
  if (typeof message !== "string" || !message.startsWith("2[")) return null;
  try {
    const values: readonly unknown[] = JSON.parse(message.slice(1));
    return values;
  } catch {
    return null;
  }
}
