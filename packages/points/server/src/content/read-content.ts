import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { ContentProgramEntry } from "@proj/points-client/wire";
import type { PointsDatabase, PointsSource } from "../storage/source.ts";

const readEntries = query(({ db }: PointsSource) =>
  db
    .selectFrom("content_entries")
    .select(["start_timestamp", "end_timestamp", "points"])
    .where("address", "=", parameter<string>("address"))
    .orderBy("start_timestamp")
    .orderBy("end_timestamp")
    .orderBy("points"),
);

export async function readContent(
  database: PointsDatabase,
  address: string,
): Promise<ContentProgramEntry[]> {
  const { rows } = await database.run(readEntries, { address });
  return rows.map(({ start_timestamp, end_timestamp, points }) => ({
    startTimestamp: start_timestamp,
    endTimestamp: end_timestamp,
    points,
  }));
}
