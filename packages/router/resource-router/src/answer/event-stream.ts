import { Reply } from "./reply.ts";
import { openSource } from "./stream.ts";

/** A server-sent event (HTML, section 9.2); a string is an event with only data. */
export interface ServerEvent {
  /** A string is sent as it is, anything else as JSON. */
  readonly data: unknown;
  /** The event name that listeners use. @default "message" */
  readonly event?: string;
  /** Comes back in `Last-Event-ID` when the caller connects again. */
  readonly id?: string;
}

export interface EventStreamOptions {
  /** Delay before the caller reconnects, in milliseconds. @default its own choice */
  readonly retryMs?: number;
  /** After this much silence a comment keeps the stream alive, in milliseconds. @default 15000 */
  readonly keepAliveMs?: number;
}

const headers = {
  "content-type": "text/event-stream",
  // Not cached, and not buffered for compression; the second header says so to nginx.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/**
 * Answers with server-sent events. The head is sent at once, and a silent stream sends comments, so that neither
 * callers nor proxies take it for dead. The source is closed when the caller disconnects.
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

/** @throws TypeError the value contains a line break */
function field(name: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  if (/[\r\n\0]/.test(value)) throw new TypeError(`The '${name}' of an event must be one line.`);
  return [`${name}: ${value}`];
}
