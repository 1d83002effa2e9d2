/** An answer whose last frame came. */
export interface SocketAnswer {
  readonly session_id: string;
  readonly id: string;
  readonly text: string;
  /** Everything that the model is to be shown for it, as texts. */
  readonly shown: readonly string[];
}

interface Lane {
  readonly name: string;
  turn: number;
  /** Of the conversation that it goes on with; null: it begins one. */
  last: SocketAnswer | null;
  readonly earlier: SocketAnswer[];
}

/** Every fifth turn forks from an earlier answer; every twelfth begins a new conversation. */
const forkEvery = 5;
const maxTurns = 12;

/** One session on one WebSocket, which it opens again when it breaks: every lane is a conversation of its own. */
export class SocketAgent {
  readonly session_id: string;
  readonly answers: SocketAnswer[] = [];
  /** Answers of which some frames came, and not the last. */
  cut = 0;
  readonly #url: string;
  readonly #lanes: readonly Lane[];
  readonly #inFrames = new Set<Lane>();

  constructor(gateway: string, number: number, lanes: number) {
    this.session_id = `socket-${number}`;
    this.#url = `${gateway.replace("http", "ws")}/v1/sessions/${this.session_id}/responses`;
    this.#lanes = Array.from({ length: lanes }, (_, at) => ({
      ...{ name: `${number}.${at}`, turn: 0, last: null, earlier: [] },
    }));
  }

  /** Whether an answer's first frame has come, and not its last. */
  get isInFrames(): boolean {
    return this.#inFrames.size > 0;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const socket = await open(this.#url);
      if (socket === null) continue;
      await Promise.all(this.#lanes.map((lane) => this.#converse(socket, lane, signal)));
      socket.close();
    }
  }

  async #converse(socket: WebSocket, lane: Lane, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && socket.readyState === WebSocket.OPEN) {
      lane.turn += 1;
      if (lane.turn % maxTurns === 0) lane.last = null;
      else if (lane.turn % forkEvery === 0) lane.last = lane.earlier.at(-3) ?? lane.last;
      const said = `${lane.name} says ${lane.turn}, "ünïcode" and all.`;
      const shown = [...(lane.last === null ? [] : [...lane.last.shown, lane.last.text]), said];
      const answer = await this.#ask(socket, lane, said);
      if (answer === null) continue;
      lane.last = { ...answer, session_id: this.session_id, shown };
      lane.earlier.push(lane.last);
      this.answers.push(lane.last);
    }
  }

  /** Null: the answer did not come whole. */
  #ask(
    socket: WebSocket,
    lane: Lane,
    content: string,
  ): Promise<Pick<SocketAnswer, "id" | "text"> | null> {
    return new Promise((resolve) => {
      let text = "";
      const end = (answer: Pick<SocketAnswer, "id" | "text"> | null): void => {
        socket.removeEventListener("message", onMessage);
        socket.removeEventListener("close", onClose);
        if (answer === null && this.#inFrames.has(lane)) this.cut += 1;
        this.#inFrames.delete(lane);
        resolve(answer);
      };
      const onClose = (): void => end(null);
      const onMessage = ({ data }: MessageEvent): void => {
        const { type, stream_id, delta, response } = JSON.parse(String(data));
        if (stream_id !== lane.name) return;
        this.#inFrames.add(lane);
        if (type === "response.output_text.delta") text += delta;
        if (type === "response.completed") end({ id: response.id, text });
        if (type === "error") end(null);
      };
      socket.addEventListener("message", onMessage);
      socket.addEventListener("close", onClose);
      const continued = lane.last === null ? {} : { previous_response_id: lane.last.id };
      const input = [{ role: "user", content }];
      const frame = { model: "policy", input, stream_id: lane.name, ...continued };
      socket.send(JSON.stringify({ type: "response.create", ...frame }));
    });
  }
}

/** Null: the gateway is away. */
function open(url: string): Promise<WebSocket | null> {
  const socket = new WebSocket(url);
  return new Promise((resolve) => {
    socket.addEventListener("open", () => resolve(socket));
    socket.addEventListener("error", () => setTimeout(resolve, 100, null));
  });
}
