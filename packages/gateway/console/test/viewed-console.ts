import { once } from "node:events";
import { join } from "node:path";
import {
  type CopiedStep,
  openJobReader,
  openSqliteCopy,
  type SqliteCopy,
} from "@proj/session-store";
import { temporaryFolder } from "@proj/test-kit";
import { type WatchedBrowser, watchBrowser } from "@proj/test-kit/chromium";
import { createViewServer, type ViewedStore } from "../src/index.ts";
import { type SampleStore, sampleStore } from "./sample-store.ts";

/** The console in a browser. */
export interface ViewedConsole extends WatchedBrowser {
  /** The page's URL, without a place. */
  readonly url: string;
}

/** Opens the console over a storage without a gateway. @param write fills the storage */
export async function viewStorage(
  write: (sample: SampleStore) => Promise<void>,
): Promise<ViewedConsole> {
  const sample = await sampleStore();
  await write(sample);
  return viewStore(sample.store, async () => sample[Symbol.asyncDispose]());
}

/** Opens the console over copied steps. */
export async function viewCopy(write: (copy: SqliteCopy) => void): Promise<ViewedConsole> {
  const folder = await temporaryFolder();
  const db_url = `sqlite://${join(folder.path, "copy.db")}`;
  using copy = await openSqliteCopy(db_url);
  write(copy);
  copy.finish();
  const storage_config = { db_url, create: false };
  const store = await openJobReader({ storage_type: "sqlite", storage_config });
  return viewStore(store, async () => {
    await store.close();
    await folder[Symbol.asyncDispose]();
  });
}

/** A step with the least that it needs. */
export const copiedStep = (
  session_id: string,
  step_id: number,
  messages: readonly object[],
): CopiedStep => ({
  request_id: `${session_id}-${step_id}`,
  ...{ session_id, model: "policy", step_id, status_code: 200, env_name: null, job_id: null },
  ...{ group_id: null, step_reward: null, reward: null, is_trainable: false, is_terminal: false },
  ...{ is_truncated: false, is_session_completed: false, created_at: "2026-01-02T03:04:05.000Z" },
  ...{ meta_json: "{}", request: null, response: null, messages: JSON.stringify(messages) },
});

async function viewStore(store: ViewedStore, close: () => Promise<void>): Promise<ViewedConsole> {
  const server = createViewServer(store).listen(0, "127.0.0.1");
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
      await close();
    },
  };
}
