import { statSync } from "node:fs";
import { browsed } from "@proj/console";
import { expect, test } from "vitest";
import { writeLongSession } from "./sample-extremes.ts";
import { sampleStore } from "./sample-store.ts";

test("an open console does not keep the write-ahead log from being emptied", async () => {
  await using sample = await sampleStore();
  const file = sample.db_url.replace("sqlite://", "");
  const paths = [
    "/v1/jobs",
    "/v1/sessions?stored=true&text=never-said",
    "/v1/sessions/long/rows?payload=true",
    "/v1/sessions/long/summary",
  ];
  let isOpen = true;
  const look = async (path: string): Promise<void> => {
    const { pathname, searchParams } = new URL(path, "http://localhost");
    while (isOpen) await browsed(sample.store, pathname, searchParams);
  };
  await writeLongSession(sample, "long", 1);
  const looking = paths.map(look);
  const before = statSync(file).size;
  await writeLongSession(sample, "other", 300);
  // A read that went on would keep the rows in the log, and the file as small as it was.
  await expect.poll(() => statSync(file).size).toBeGreaterThan(before + 50_000);
  isOpen = false;
  await Promise.all(looking);
});
