import type { ContentProgramEntry } from "@proj/points-client";
import type { PointsDatabase } from "../storage/database.ts";
import { parameter, type StoredQuery, storeQuery } from "../storage/stored-query.ts";

/** Reads what the last import of content said of an address. */
export class ContentReader {
  readonly #database: PointsDatabase;
  readonly #entries: StoredQuery<{
    start_timestamp: number;
    end_timestamp: number;
    points: number;
  }>;

  constructor(database: PointsDatabase) {
    this.#database = database;
    this.#entries = storeQuery(
      database.builder
        .selectFrom("content_entries")
        .select(["start_timestamp", "end_timestamp", "points"])
        .where("address", "=", parameter<string>("address"))
        .orderBy("start_timestamp")
        .orderBy("end_timestamp")
        .orderBy("points"),
    );
  }

  async entries(address: string): Promise<ContentProgramEntry[]> {
    const { rows } = await this.#database.run(this.#entries, { address });
    return rows.map(({ start_timestamp, end_timestamp, points }) => ({
      startTimestamp: start_timestamp,
      endTimestamp: end_timestamp,
      points,
    }));
  }
}
