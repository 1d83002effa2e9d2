import { chatCompletion, startFaultyUpstream, startTcpProxy } from "@proj/test-kit";
import { type PostgresServer, startPostgresServer } from "@proj/test-kit/postgres";
import { Client, type QueryResultRow } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";

const sessions = ["a", "b", "c", "d"];

/** Long enough that a row holds only what its body adds to the session's previous one. */
const message = (text: string) => ({ role: "user", content: text.padEnd(9_000, ".") });

async function startServer(
  options: Parameters<typeof startPostgresServer>[0] = {},
): Promise<PostgresServer> {
  const server = await startPostgresServer(options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

async function query<Row extends QueryResultRow>(
  { url }: PostgresServer,
  ...statements: string[]
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const sql of statements) ({ rows } = await client.query<Row>(sql));
    return rows;
  } finally {
    await client.end();
  }
}

/** Sends a session's next messages, and repeats them as an SDK does. */
async function chat(gateway: TestGateway, session_id: string, texts: string[]): Promise<string> {
  const body = { model: "demo", messages: texts.map(message) };
  for (;;) {
    const answer = await gateway.post(`/v1/sessions/${session_id}/chat/completions`, body);
    const said = await answer.text();
    if (answer.status === 200) return answer.headers.get("x-gateway-step-id") ?? "";
    expect(answer.headers.get("x-should-retry"), said).toBe("true");
  }
}

test.each(["a promoted standby", "a restored backup"])(
  "after %s without the last steps, every step that is told is read whole",
  async (kind) => {
    const server = await startServer();
    const proxy = await startTcpProxy(server.port);
    const upstream = await startFaultyUpstream(
      async (_request, reply) => void (await reply.json(chatCompletion())),
    );
    const url = new URL(server.url);
    url.port = String(proxy.port);
    const gateway = await startGateway({
      llm_routes: { demo: { base_url: upstream.url } },
      storage_type: "cloud",
      storage_config: { db_url: url.href },
    });
    onTestFinished(async () => {
      await gateway.close();
      await proxy[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    });
    const texts = new Map(sessions.map((session_id) => [session_id, [] as string[]]));
    const chatAll = (said: string): Promise<string[]> =>
      Promise.all(
        [...texts].map(([session_id, history]) => {
          history.push(said);
          return chat(gateway, session_id, history);
        }),
      );
    for (const said of ["1", "2", "3"])
      expect(new Set(await chatAll(said))).toEqual(new Set([said]));

    await server.stop();
    const other = await startServer({ copyOf: server, isStandby: kind === "a promoted standby" });
    await query(other, "select 1");
    await server.start();
    // It no longer follows: what comes now is lost.
    if (kind === "a promoted standby")
      await query(other, "alter system set primary_conninfo = ''", "select pg_reload_conf()");
    const following = () => query(server, "select 1 from pg_stat_replication");
    await expect.poll(following, { timeout: 20_000 }).toEqual([]);
    for (const said of ["4", "5", "6"]) await chatAll(said);
    await server.stop();
    if (kind === "a promoted standby") await query(other, "select pg_promote()");
    proxy.cut();
    proxy.mend(other.port);

    const stored = await query<{ rows: string }>(
      other,
      "select count(*) as rows from stored_steps",
    );
    const kept = Number(stored[0]?.rows) / sessions.length;
    expect(kept).toBeLessThan(6);
    for (const said of ["7", "8", "9"]) await chatAll(said);
    const rows = await query<{ session_id: string; step_id: number; messages: string }>(
      other,
      "select session_id, step_id, messages from session_steps order by session_id, step_id",
    );
    expect(rows).toHaveLength(sessions.length * (kept + 3));
    for (const session_id of sessions) {
      const own = rows.filter((row) => row.session_id === session_id);
      expect(own.map(({ step_id }) => step_id)).toEqual(own.map((_, index) => index + 1));
      const last = own.slice(-3).map(({ messages }) => JSON.parse(messages));
      const history = (texts.get(session_id) ?? []).map(message);
      expect(last).toEqual([history.slice(0, 7), history.slice(0, 8), history]);
    }
    expect(
      gateway.logged.filter(({ message }) => message.startsWith("the database went back")),
    ).toHaveLength(1);
  },
  120_000,
);
