import type { SnapshotCommand } from "./command-line.ts";
import { openStore } from "./open-store.ts";
import { counted, createProgress } from "./progress.ts";
import { readSettings } from "./read-settings.ts";

/** @returns the exit code */
export async function snapshot(
  { config, json }: SnapshotCommand,
  signal: AbortSignal,
): Promise<number> {
  const store = await openStore(await readSettings(config));
  const progress = createProgress();
  try {
    progress.show("counting …");
    const info = await store.buildSnapshot({ signal });
    progress.clear();
    const { total } = info.totalItems;
    console.log(
      json
        ? JSON.stringify(info)
        : `snapshot ${info.id}: ${counted(total, "record")} in the ranking of all`,
    );
    return 0;
  } finally {
    progress.clear();
    await store.close();
  }
}
