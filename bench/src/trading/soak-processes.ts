import { fileURLToPath } from "node:url";
import {
  firstMessage,
  type PinnedProcess,
  portOf,
  startPinned,
} from "../machine/pinned-process.ts";
import type { BotNews, BotsOrder, BotsReport, BrokerOrder, Memory } from "./soak-protocol.ts";

const BROKER = fileURLToPath(import.meta.resolve("./soak-broker-main.ts"));
const BOTS = fileURLToPath(import.meta.resolve("./soak-bots-main.ts"));

/** Messages that a child process sends unasked. */
export interface SoakListener {
  news(news: BotNews): void;
  /** An unhandled rejection. */
  unhandled(reason: string): void;
}

/** The broker and the bots of a soak, in two processes. */
export class SoakProcesses {
  readonly #listener: SoakListener;
  readonly #bots: number;
  readonly #stateFile: string;
  #broker: PinnedProcess | null = null;
  #trading: PinnedProcess | null = null;
  #port = 0;

  constructor(bots: number, stateFile: string, listener: SoakListener) {
    this.#bots = bots;
    this.#stateFile = stateFile;
    this.#listener = listener;
  }

  async start(seed: number): Promise<void> {
    await this.#startBroker();
    const url = `http://127.0.0.1:${this.#port}`;
    this.#trading = this.#start([BOTS, url, String(this.#bots), String(seed)]);
    await firstMessage(this.#trading, memberOf("ready"), "the bots to be connected");
  }

  /** Kills the broker like a power cut; the next one continues from the state file, on the same port. */
  async killBroker(): Promise<void> {
    this.#broker?.child.kill("SIGKILL");
    await this.#broker?.stop();
    await this.#startBroker();
  }

  async tellBroker(order: BrokerOrder): Promise<unknown> {
    return ask(this.#broker, order, 60_000);
  }

  async tellBots(order: BotsOrder): Promise<unknown> {
    return ask(this.#trading, order, 60_000);
  }

  /** After a forced collection in each. */
  async memory(): Promise<{ readonly broker: Memory; readonly bots: Memory }> {
    const broker = (await this.tellBroker({ memory: true })) as Memory;
    return { broker, bots: (await this.tellBots({ memory: true })) as Memory };
  }

  /** Stops the bots, and compares their mirrors with the broker's tables. */
  async finishBots(): Promise<BotsReport> {
    return (await ask(this.#trading, { finish: true }, 300_000)) as BotsReport;
  }

  /** Makes the broker store its state. */
  async stop(): Promise<void> {
    await this.#trading?.stop();
    await this.#broker?.stop(10_000);
  }

  async #startBroker(): Promise<void> {
    const args = [String(this.#port), String(this.#bots), this.#stateFile];
    this.#broker = this.#start([BROKER, ...args]);
    this.#port = await firstMessage(this.#broker, portOf, "the broker to listen");
  }

  #start(args: readonly string[]): PinnedProcess {
    const command = process.execPath;
    const all = [...process.execArgv, "--expose-gc", ...args];
    const started = startPinned({ cores: null, command, args: all, ipc: true });
    started.child.on("message", (message: { news?: BotNews; unhandled?: string }) => {
      if (message.news !== undefined) this.#listener.news(message.news);
      if (message.unhandled !== undefined) this.#listener.unhandled(message.unhandled);
    });
    return started;
  }
}

/** The answer has the same name as the command. */
async function ask(
  asked: PinnedProcess | null,
  order: BrokerOrder | BotsOrder,
  timeoutMs: number,
): Promise<unknown> {
  if (asked === null) throw new Error("it was not started");
  const [name = ""] = Object.keys(order);
  const answer = firstMessage(asked, memberOf(name), `the answer to "${name}"`, timeoutMs);
  asked.child.send(order);
  return answer;
}

const memberOf =
  (name: string) =>
  (message: unknown): unknown =>
    typeof message === "object" && message !== null
      ? Object.entries(message).find(([key]) => key === name)?.[1]
      : undefined;
