import { LastingThread } from "./lasting-thread.ts";
import type { ThreadCalls } from "./thread-messages.ts";

/** A thread that reads a file which this process does not write. @param entry URL of its module */
export function openReaderThread<Calls extends ThreadCalls<Calls>>(
  file: string,
  entry: string,
): LastingThread<Calls> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  return new LastingThread<Calls>({
    name: "storage reader",
    isWriter: false,
    entry,
    stop,
    isFileFree: () => true,
    onReplaced: () => {},
    data: () => ({ file, stop, known: null }),
  });
}
