import { once } from "node:events";
import { type WatchedBrowser, watchBrowser } from "@proj/test-kit/chromium";
import { createViewServer } from "../src/index.ts";
import { type SampleStore, sampleStore } from "./sample-store.ts";

/** The console in a browser. */
export interface ViewedConsole extends WatchedBrowser {
  /** The page's, without a place in it. */
  readonly url: string;
}

/** Over a storage alone. @param write what is in it */
export async function viewStorage(
  write: (sample: SampleStore) => Promise<void>,
): Promise<ViewedConsole> {
  const sample = await sampleStore();
  await write(sample);
  const server = createViewServer(sample.store).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/console`;
  const browser = await watchBrowser(url);
  return {
    ...browser,
    url,
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      server.close();
      server.closeAllConnections();
      await sample[Symbol.asyncDispose]();
    },
  };
}
