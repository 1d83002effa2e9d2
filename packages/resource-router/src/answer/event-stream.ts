import { Reply } from "./reply.ts";
import { openSource } from "./stream.ts";

/** An event of a stream (HTML, section 9.2); a string is an event with nothing but data. */
export interface ServerEvent {
  /** A string is sent as it is, anything else as JSON. */
  readonly data: unknown;
  /** What listeners know it by. @default "message" */
  readonly event?: string;
  /** Comes back in `Last-Event-ID` when the caller connects again. */
  readonly id?: string;
}

export interface EventStreamOptions {
  /** After how long a caller is to connect again, in milliseconds. @default its own choice */
  readonly retryMs?: number;
  /** How long nothing is sent before a comment shows that the stream lives, in milliseconds. @default 15000 */
  readonly keepAliveMs?: number;
}

const headers = {
  "content-type": "text/event-stream",
  // Neither kept nor held back to be compressed; the second header is nginx's word for it.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/**
 * Answers with server-sent events. The head goes at once, and a silent stream sends comments, so that
 * neither callers nor proxies take it for dead. The source is closed when the caller leaves.
 */
export function eventStream(
  events: AsyncIterable<ServerEvent | string>,
  { retryMs, keepAliveMs = 15_000 }: EventStreamOptions = {},
): Reply<ReadableStream<string>> {
  const source = openSource(events);
  const first = retryMs === undefined ? "" : `retry: ${retryMs}\n\n`;
  let waiting: ReturnType<typeof source.next> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const body = new ReadableStream<string>({
    start: (controller) => {
      if (first !== "") controller.enqueue(first);
    },
    pull: async (controller) => {
      waiting ??= source.next();
      const silence = new Promise<null>((resolve) => {
        timer = setTimeout(resolve, keepAliveMs, null);
      });
      const chunk = await Promise.race([waiting, silence]).finally(() => clearTimeout(timer));
      if (chunk === null) {
        controller.enqueue(":\n\n");
        return;
      }
      waiting = null;
      if (chunk.done) controller.close();
      else controller.enqueue(eventText(chunk.value as ServerEvent | string));
    },
    cancel: () => {
      clearTimeout(timer);
      source.close();
    },
  });
  return new Reply(200, body, headers, { headFirst: true });
}

function eventText(given: ServerEvent | string): string {
  const { data, event, id }: ServerEvent = typeof given === "string" ? { data: given } : given;
  const text = typeof data === "string" ? data : JSON.stringify(data);
  const lines = [...field("event", event), ...field("id", id)];
  for (const line of text.split(/\r\n|\r|\n/)) lines.push(`data: ${line}`);
  return `${lines.join("\n")}\n\n`;
}

/** @throws TypeError for a value that would end its line */
function field(name: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  if (/[\r\n\0]/.test(value)) throw new TypeError(`The '${name}' of an event is one line.`);
  return [`${name}: ${value}`];
}
