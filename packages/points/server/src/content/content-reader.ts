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

/** Reads an address's entries in the content program. */
export class ContentReader {
  readonly #database: PointsDatabase;

  constructor(database: PointsDatabase) {
    this.#database = database;
  }

  async entries(address: string): Promise<ContentProgramEntry[]> {
    const { rows } = await this.#database.run(readEntries, { address });
    return rows.map(({ start_timestamp, end_timestamp, points }) => ({
      startTimestamp: start_timestamp,
      endTimestamp: end_timestamp,
      points,
    }));
  }
}
