import {
  type Command,
  defineCommand,
  exitCode,
  flag,
  noOperand,
  oneOf,
  optional,
  optionalAs,
  readWithDefault,
  required,
  UsageError,
} from "@proj/program";

const hourMs = 3_600_000;
const units: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs, w: 168 * hourMs };

/** Deletes what is stored of old sessions, even while a gateway uses the database. */
export const prune: Command = defineCommand({
  name: "prune",
  summary: "delete what is stored of old sessions, even while a gateway runs",
  operand: noOperand,
  options: {
    config: required("FILE", "YAML configuration that names the database", {
      short: "c",
      completion: "files",
    }),
    "older-than": optionalAs(
      "AGE",
      "sessions whose last call is older, such as 30d, 12h or 8w; needed",
      (text, refuse) => {
        const [, count, unit = ""] = /^([1-9]\d{0,5})([hdw])$/.exec(text) ?? [];
        if (count !== undefined) return Number(count) * (units[unit] ?? 0);
        refuse("must be a number of hours, days or weeks, such as 12h, 30d or 8w");
        return undefined;
      },
    ),
    job: optional("JOB", "only sessions of this job"),
    keep: readWithDefault(
      oneOf(
        "WHAT",
        ["rewards", "rows"],
        "what stays: attempts with their rewards and scores, or also rows without their payloads",
      ),
      "rewards",
    ),
    "dry-run": flag("only say what would be deleted"),
  },
  async run({ options }, { signal }) {
    const age = options["older-than"];
    if (age === null) throw new UsageError("--older-than AGE is needed, such as --older-than 30d");
    const { loadConfig } = await import("@proj/gateway-protocol");
    const { openJobStore, pruneOld } = await import("@proj/session-store");
    const { storage_type, storage_config } = loadConfig(options.config);
    const jobs = await openJobStore({
      storage_type,
      storage_config: { ...storage_config, create: false },
    });
    try {
      const isDryRun = options["dry-run"];
      const before = new Date(Date.now() - age).toISOString();
      const { keep, job: job_id } = options;
      const { sessions, rows, bytes } = await pruneOld(jobs, {
        ...{ before, keep, job_id, isDryRun, signal },
      });
      const verb = isDryRun ? "would be pruned" : "pruned";
      console.log(
        `${sessions} sessions ${verb}: ${rows} rows, ${bytes} bytes besides values stored once`,
      );
      return exitCode.done;
    } finally {
      await jobs.close();
    }
  },
});
