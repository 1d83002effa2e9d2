import { createPointsClient } from "@proj/points-client";

/** What a client does, as plain values, in any runtime: uses only what all of them have. */
export async function told(baseUrl: string): Promise<Record<string, unknown>> {
  const client = createPointsClient({ baseUrl, network: "main" });
  const query = { address: "a7", size: 2 } as const;
  const page = await client.leaderboard("total", query);
  const again = await client.leaderboard("total", query);
  const ranks: number[] = [];
  for await (const { rank } of client.ranking("total", { pageSize: 25 })) ranks.push(rank);
  const other = createPointsClient({ baseUrl, network: "other" });
  const refused = await other.leaderboard("total").catch((error: unknown) => error);
  const nobody = createPointsClient({ baseUrl: "http://127.0.0.1:1", network: "x", retry: false });
  const failed = await nobody.config().catch((error: Error) => error.name);
  const reason = new Error("given up");
  const aborted = await client
    .config({ signal: AbortSignal.abort(reason) })
    .catch((error: unknown) => error === reason);
  const [first] = page.leaderboard;
  client.close();
  const closed = await client.config().catch((error: Error) => error.message);
  return {
    ...{ own: page.user?.rank, isSame: JSON.stringify(again) === JSON.stringify(page) },
    ...{ ranks: ranks.length, failed, aborted, closed, refused: String(refused) },
    points: client.integer(first?.points ?? "0").toString(),
    shown: client.formatted(first?.points ?? "0", 6, { locale: "en" }),
  };
}
