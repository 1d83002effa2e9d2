/**
 * A child process of the bench: the same ranking and answers from a table with an index by points, with
 * COUNT(*) and OFFSET.
 */
import { createServer } from "node:http";
import { openPointsStore } from "@proj/points-server";
import { sql } from "kysely";
import { listenForBench } from "../machine/listen.ts";
import { openOffsetDatabase, type RankingRow } from "./offset-database.ts";
import { PROGRAM } from "./program.ts";

const [db_url = "", file = ""] = process.argv.slice(2);
const database = openOffsetDatabase(file);
await fill();

/** Filled from the store's newest snapshot. */
async function fill(): Promise<void> {
  await sql`create table ranking (address text primary key, points integer not null,
    last24h_points text not null, lp_points text not null, swap_points text not null)`.execute(
    database,
  );
  const store = await openPointsStore({ db_url, program: PROGRAM });
  const pageSize = 1000;
  await sql`begin`.execute(database);
  for (let offset = 0, last = pageSize; last === pageSize; offset += pageSize) {
    const page = { ranking: "total", address: null, offset, size: pageSize } as const;
    const records: Record<string, string>[] = JSON.parse(
      (await store.readPage(page)).body.toString(),
    ).leaderboard;
    last = records.length;
    if (last > 0) await database.insertInto("ranking").values(records.map(row)).execute();
  }
  await sql`commit`.execute(database);
  await sql`create index by_points on ranking (points desc, address)`.execute(database);
  await sql`analyze`.execute(database);
  await store.close();
}

function row(record: Record<string, string>): RankingRow {
  const { address = "", points = "0", last24hPoints = "" } = record;
  const { lpPoints: lp_points = "", swapPoints: swap_points = "" } = record;
  return { address, points: BigInt(points), last24h_points: last24hPoints, lp_points, swap_points };
}

async function answer(user: string, offset: number, size: number): Promise<object> {
  const ranking = database.selectFrom("ranking");
  const count = ranking.select((build) => build.fn.countAll<bigint>().as("count"));
  const { count: totalItems } = await count.executeTakeFirstOrThrow();
  const rows = await ranking
    .selectAll()
    .orderBy("points", "desc")
    .orderBy("address")
    .limit(size)
    .offset(offset)
    .execute();
  const own = await ranking.selectAll().where("address", "=", user).executeTakeFirst();
  const above =
    own === undefined
      ? null
      : await count
          .where((build) =>
            build.or([
              build("points", ">", own.points),
              build.and([build("points", "=", own.points), build("address", "<", user)]),
            ]),
          )
          .executeTakeFirstOrThrow();
  return {
    user: own === undefined || above === null ? null : record(own, Number(above.count) + 1),
    leaderboard: rows.map((each, index) => record(each, offset + index + 1)),
    totalItems: Number(totalItems),
  };
}

function record(own: RankingRow, rank: number): object {
  const { address, last24h_points, lp_points, swap_points } = own;
  const points = { points: String(own.points), last24hPoints: last24h_points };
  return { address, ...points, rank, lpPoints: lp_points, swapPoints: swap_points };
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  const [offset, size] = [Number(searchParams.get("offset")), Number(searchParams.get("size"))];
  const body = Buffer.from(
    JSON.stringify(await answer(pathname.split("/").at(-1) ?? "", offset, size)),
  );
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});
listenForBench(server);
