import { fileURLToPath } from "node:url";
import { firstMessage, portOf, startPinned } from "../machine/pinned-process.ts";

const MAIN = fileURLToPath(import.meta.resolve("../upstream/trace-sink-main.ts"));

export interface TraceSink {
  /** Base URL for OTLP/HTTP. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** In a process of its own, away from the core of the server under test. */
export async function startTraceSink(cores: string | null): Promise<TraceSink> {
  const started = startPinned({ cores, command: process.execPath, args: [MAIN], ipc: true });
  const port = await firstMessage(started, portOf);
  return { url: `http://127.0.0.1:${port}`, stop: () => started.stop() };
}
