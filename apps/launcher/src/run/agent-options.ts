import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type AgentCommandOptions, type CommandLimits, findUser } from "@proj/launcher-client";
import { optional, type Refuse, repeated, repeatedAs, UsageError } from "@proj/program";
import type { ValuesOf } from "../options-of.ts";
import { requirePath } from "./require-path.ts";
import { isCluster, reach, sandboxOf, sandboxOptions } from "./sandbox-options.ts";

const limitNames = ["memory", "cpu", "file-size", "open-files", "processes"] as const;

type LimitName = (typeof limitNames)[number];

/** Options of `run` that restrict what an agent's command can reach. */
export const agentOptions = {
  env: repeated(
    "NAME[=VALUE]",
    "a variable for agents: of the launcher's own they get only PATH, the language and certificates",
    reach,
  ),
  "runtime-cwd": optional("DIR", "where agents work, instead of a folder of their own", {
    ...reach,
    completion: "files",
  }),
  workdirs: optional(
    "DIR",
    "keep each agent's folder as DIR/<session>; otherwise it is removed after scoring",
    { ...reach, completion: "files" },
  ),
  "runtime-user": optional("NAME", "the user that agents run as; only root can set it", reach),
  "runtime-limit": repeatedAs(
    "NAME=N",
    "memory=2G, cpu=600 (seconds), file-size=1G, open-files=256, processes=200; for each process",
    readLimit,
    reach,
  ),
  ...sandboxOptions,
};

export type AgentSettings = ValuesOf<typeof agentOptions>;

/** @throws UsageError a user or a path that does not exist */
export async function agentCommandOptions(
  given: AgentSettings,
  timeLimitMs: number,
): Promise<AgentCommandOptions> {
  const cwd = given["runtime-cwd"];
  const user = given["runtime-user"];
  const sandbox = sandboxOf(given, timeLimitMs);
  if (given.place === "slurm" && given.workdirs === null)
    throw new UsageError("--place slurm needs --workdirs, on a file system that the nodes share");
  if (isCluster(given.place) && user !== null)
    throw new UsageError(`--place ${given.place} and --runtime-user exclude each other`);
  if (cwd !== null && given.place !== "kubernetes") requirePath("runtime-cwd", cwd);
  const variables = given.env.map((text) => text.split(/=(.*)/s, 2));
  return {
    ...(cwd === null ? {} : { cwd: resolve(cwd) }),
    passEnv: variables.flatMap(([name = "", value]) => (value === undefined ? [name] : [])),
    env: Object.fromEntries(
      variables.flatMap(([name = "", value]) => (value === undefined ? [] : [[name, value]])),
    ),
    user: user === null ? null : await asUsage(() => findUser(user)),
    limits: Object.assign({}, ...given["runtime-limit"]),
    sandbox,
  };
}

const names = Object.keys(agentOptions).filter((name) => name !== "workdirs");

/** Options that say how a command is run, and that were given. */
export const givenForCommands = (options: AgentSettings): readonly string[] =>
  names.filter((name) => [Reflect.get(options, name)].flat().some((value) => value !== null));

/** Whether the settings need something from the system that it may not be able to do. */
export const needsCheck = ({ user, limits, sandbox }: AgentCommandOptions): boolean =>
  Boolean(user ?? sandbox) || Object.keys(limits ?? {}).length > 0;

/**
 * Refuses a command that names a file relative to the launcher's folder: it would not find the file in its own.
 * @throws UsageError
 */
export function requireWholePaths(command: string, { cwd }: AgentCommandOptions): void {
  if (cwd !== undefined) return;
  const words = command.split(/[\s"'=]+/).filter((word) => /[./]/.test(word));
  const found = words.find((word) => !word.startsWith("/") && isFile(word));
  if (found === undefined) return;
  throw new UsageError(
    `--runtime-command: an agent works in its own folder, which does not contain '${found}': write "$PWD/${found}", or give --runtime-cwd .`,
  );
}

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

async function asUsage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`--runtime-user: ${error.message}`);
  }
}

const units: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

function readLimit(text: string, refuse: Refuse): CommandLimits | undefined {
  const [, name, digits, unit = ""] = /^([a-z-]+)=(\d{1,12})([KMG]?)$/.exec(text) ?? [];
  const known = limitNames.find((limit) => limit === name);
  const isSize = known === "memory" || known === "file-size";
  if (known === undefined || Number(digits) === 0 || (unit !== "" && !isSize)) {
    refuse(`must be one of ${limitNames.join(", ")} with =N (sizes: 512M, 2G), not '${text}'`);
    return undefined;
  }
  return limitOf(known, Number(digits) * (units[unit] ?? 1));
}

function limitOf(name: LimitName, value: number): CommandLimits {
  switch (name) {
    case "memory":
      return { memoryBytes: value };
    case "cpu":
      return { cpuSeconds: value };
    case "file-size":
      return { fileBytes: value };
    case "open-files":
      return { openFiles: value };
    case "processes":
      return { processes: value };
  }
}
