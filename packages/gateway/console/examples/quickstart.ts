import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createViewServer } from "@proj/console";
import { openSqliteStore } from "@proj/session-store";

// The database of a gateway; a new one here, so that the example runs by itself.
const folder = await mkdtemp(join(tmpdir(), "console-"));
const store = await openSqliteStore({ db_url: `sqlite://${join(folder, "gateway.db")}` });

const server = createViewServer(store).listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;

const page = await fetch(`${url}/console`);
assert.match(await page.text(), /<title>Console<\/title>/);
const list = await fetch(`${url}/v1/sessions?stored=true`);
assert.deepEqual(await list.json(), { sessions: [], next_before: null });

server.close();
server.closeAllConnections();
await store.close();
await rm(folder, { recursive: true });
