import { ImportError, type ImportReport, type PointsStore } from "@proj/points-server";
import type { ImportCommand } from "./command-line.ts";
import { openStore } from "./open-store.ts";
import { counted, createProgress } from "./progress.ts";
import { readSettings } from "./read-settings.ts";

/** @returns the exit code: 1 where lines were refused */
export async function importFile(command: ImportCommand, signal: AbortSignal): Promise<number> {
  const store = await openStore(await readSettings(command.config));
  const progress = createProgress();
  try {
    if (command.isContent) return await importContent(store, command, signal);
    const report = await store.importFile(command.file, {
      format: command.format ?? undefined,
      onError: command.onError,
      onProgress: ({ lines }) => progress.show(counted(lines, "line")),
      signal,
    });
    progress.clear();
    print(report, command);
    return report.refused === 0 ? 0 : 1;
  } catch (error) {
    progress.clear();
    if (!(error instanceof ImportError)) throw error;
    if (command.json) console.log(JSON.stringify(error.report));
    console.error(`points: ${command.file}: ${error.message}`);
    return 1;
  } finally {
    await store.close();
  }
}

async function importContent(
  store: PointsStore,
  { file, format, json }: ImportCommand,
  signal: AbortSignal,
): Promise<number> {
  const report = await store.importContent(file, { format: format ?? undefined, signal });
  const said = `${file} is the content program now, of ${report.entries} entries.`;
  console.log(json ? JSON.stringify(report) : said);
  return 0;
}

function print(report: ImportReport, { file, json }: ImportCommand): void {
  const { lines, stored, repeated, refused, errors } = report;
  if (json) {
    console.log(JSON.stringify(report));
    return;
  }
  for (const { line, message } of errors) console.error(`${file}:${line}: ${message}`);
  if (refused > errors.length) console.error(`… and ${refused - errors.length} more`);
  console.log(
    `${counted(lines, "line")} of ${file}: ${stored} stored, ${repeated} known already, ${refused} refused`,
  );
}
