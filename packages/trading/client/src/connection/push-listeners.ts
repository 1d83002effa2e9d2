export type PushListener = (payload: unknown) => void;

/** The part of socket.io-client 2.5.0 that receives each message of a connection. */
interface Decoder {
  add(message: unknown): void;
}

/** A socket of socket.io-client, whose types users of this package do not have. */
interface Socket {
  readonly connected: boolean;
  readonly io: object;
  on(event: string, listener: PushListener): unknown;
  off(event: string): unknown;
}

/**
 * One listener per name, called as soon as a push arrives. socket.io-client's own chain of emitters takes longer
 * than parsing the push.
 */
export class PushListeners {
  readonly #socket: Socket;
  readonly #listeners = new Map<unknown, PushListener>();

  /** @param onMalformed called with messages outside the protocol, whose errors nobody else could catch */
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

  /** @returns false: not a push with a listener, or a rare form of one */
  #take(message: unknown): boolean {
    const values = eventOf(message);
    const listener = this.#listeners.get(values?.[0]);
    listener?.(values?.[1]);
    return listener !== undefined;
  }
}

/**
 * The name and values of an event in the default namespace without acknowledgement (packet type 2 of
 * protocol version 4, directly followed by the list); null: the message is not such an event.
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
