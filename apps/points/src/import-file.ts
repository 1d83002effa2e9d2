import {
  ImportError,
  type ImportReport,
  loadSettings,
  type PointsStore,
} from "@proj/points-server";
import {
  type Command,
  defineCommand,
  exitCode,
  flag,
  jsonOption,
  oneOf,
  oneOperand,
  ProgramError,
  required,
} from "@proj/program";
import { openStore } from "./open-store.ts";
import { counted, createProgress } from "./progress.ts";

export const importFile: Command = defineCommand({
  name: "import",
  summary: "store the events of a file; they are in the rankings from the next snapshot on",
  no: "lines were refused",
  operand: oneOperand(
    "FILE",
    "the file of events, or with --content the content program's file",
    "files",
  ),
  options: {
    config: required("FILE", "YAML settings", { short: "c", completion: "files" }),
    format: oneOf(
      "FORM",
      ["csv", "jsonl"],
      "csv or jsonl (default: csv if the file's name ends in .csv, else jsonl)",
    ),
    "on-error": oneOf(
      "WHAT",
      ["refuse", "skip"],
      "refuse: store nothing if a line is bad (default); skip: store all other lines",
    ),
    content: flag("the file replaces the whole content program"),
    json: jsonOption("the result as JSON"),
  },
  check({ options: { content, "on-error": onError } }, refuse) {
    if (content && onError !== null)
      refuse(
        "--on-error cannot be used with --content: such a file is stored as a whole or not at all",
      );
  },
  async run({ options, operand: file }, { signal }) {
    const { format, json, content, "on-error": onError } = options;
    const store = await openStore(loadSettings(options.config));
    const progress = createProgress();
    try {
      if (content) return await importContent(store, { file, format, json }, signal);
      const report = await store.importFile(file, {
        format: format ?? undefined,
        onError: onError ?? "refuse",
        onProgress: ({ lines }) => progress.show(counted(lines, "line")),
        signal,
      });
      progress.clear();
      print(report, file, json);
      return report.refused === 0 ? exitCode.done : exitCode.no;
    } catch (error) {
      progress.clear();
      if (!(error instanceof ImportError)) throw error;
      if (json) console.log(JSON.stringify(error.report));
      throw new ProgramError(`${file}: ${error.message}`, exitCode.no, { cause: error });
    } finally {
      await store.close();
    }
  },
});

interface ContentFile {
  readonly file: string;
  readonly format: "csv" | "jsonl" | null;
  readonly json: boolean;
}

async function importContent(
  store: PointsStore,
  { file, format, json }: ContentFile,
  signal: AbortSignal,
): Promise<number> {
  const report = await store.importContent(file, { format: format ?? undefined, signal });
  const said = `${file} is now the content program, with ${counted(report.entries, "entry", "entries")}.`;
  console.log(json ? JSON.stringify(report) : said);
  return exitCode.done;
}

function print(report: ImportReport, file: string, json: boolean): void {
  const { lines, stored, repeated, refused, errors } = report;
  if (json) {
    console.log(JSON.stringify(report));
    return;
  }
  for (const { line, message } of errors) console.error(`${file}:${line}: ${message}`);
  if (refused > errors.length) console.error(`… and ${refused - errors.length} more`);
  console.log(
    `${counted(lines, "line")} of ${file}: ${stored} stored, ${repeated} already known, ${refused} refused`,
  );
}
