import { z } from "zod";
import type { TaskSettings } from "./task-settings.ts";

/**
 * `task.toml` of Harbor's task folders, schema 1.4 (harbor 0.26, harbor/models/task/config.py). Unknown members are
 * refused here; those that are known and cannot be obeyed, in `task-refusals.ts`.
 */

const seconds = z.number().positive();
const user = z.union([z.string().min(1), z.int().min(0)]).optional();
const variables = z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string()).default({});
const network = {
  network_mode: z.enum(["no-network", "public", "allowlist"]).optional(),
  allowed_hosts: z.array(z.string()).optional(),
};

const healthcheck = z
  .strictObject({
    command: z.string().min(1),
    interval_sec: z.number().min(0).default(5),
    timeout_sec: seconds.default(30),
    start_period_sec: z.number().min(0).default(0),
    start_interval_sec: z.number().min(0).default(5),
    retries: z.int().min(1).default(3),
  })
  .optional();

const environment = z.strictObject({
  ...network,
  build_timeout_sec: seconds.default(600),
  docker_image: z.string().min(1).optional(),
  os: z
    .string()
    .toLowerCase()
    .pipe(z.enum(["linux", "windows"]))
    .default("linux"),
  cpus: z.number().positive().optional(),
  memory_mb: z.int().positive().optional(),
  memory: z.string().optional(),
  storage_mb: z.int().positive().optional(),
  storage: z.string().optional(),
  gpus: z.int().min(0).optional(),
  gpu_types: z.array(z.string()).optional(),
  tpu: z.unknown().optional(),
  mcp_servers: z.array(z.unknown()).default([]),
  env: variables,
  skills_dir: z.string().optional(),
  healthcheck,
  workdir: z.string().startsWith("/").optional(),
  allow_internet: z.boolean().optional(),
});

const safeSource = z
  .string()
  .min(1)
  .refine((path) => !path.split("/").includes(".."), "must not contain '..'");

const artifact = z.union([
  safeSource.transform((source) => ({ source, destination: null, exclude: [], service: "main" })),
  z.strictObject({
    source: safeSource,
    destination: z.string().nullable().default(null),
    exclude: z.array(z.string()).default([]),
    service: z.string().default("main"),
  }),
]);

const agent = z.strictObject({ ...network, timeout_sec: seconds.optional(), user });

const verifier = z.strictObject({
  ...network,
  timeout_sec: seconds.optional(),
  env: variables.unwrap().optional(),
  user,
  environment_mode: z.enum(["shared", "separate"]).optional(),
  environment: environment.optional(),
  collect: z
    .array(
      z.strictObject({
        command: z.string().min(1),
        service: z.string().default("main"),
        timeout_sec: seconds.default(60),
        user,
      }),
    )
    .default([]),
});

const step = z.strictObject({
  name: z.string().regex(/^[\w][\w.-]*$/, "must be the name of a folder"),
  agent: agent.prefault({}),
  verifier: verifier.prefault({}),
  min_reward: z.union([z.number(), z.record(z.string(), z.number())]).optional(),
  healthcheck,
  artifacts: z.array(artifact).default([]),
});

const task = z.strictObject({
  schema_version: z.string().optional(),
  /** Its name before 1.0. */
  version: z.string().optional(),
  task: z
    .looseObject({ name: z.string().regex(/^[\w.-]+\/[\w.-]+$/, "must be org/name") })
    .optional(),
  metadata: z.record(z.string(), z.unknown()).default({}),
  source: z.string().optional(),
  verifier: verifier.prefault({}),
  agent: agent.prefault({}),
  environment: environment.prefault({}),
  solution: z.strictObject({ env: variables }).prefault({}),
  multi_step_reward_strategy: z.enum(["mean", "final"]).optional(),
  steps: z.array(step).min(1).optional(),
  artifacts: z.array(artifact).default([]),
});

const versions = /^1\.[0-4]$/;

/** @returns what is wrong with it, each with the name of its member */
export function readSettings(
  value: unknown,
): { readonly settings: TaskSettings } | { readonly problems: readonly string[] } {
  const read = task.safeParse(value);
  if (!read.success)
    return {
      problems: read.error.issues.map(
        ({ path, message }) => `${path.join(".") || "task.toml"}: ${message}`,
      ),
    };
  const version = read.data.schema_version ?? read.data.version ?? "1.4";
  if (!versions.test(version))
    return { problems: [`schema_version: ${version} is not known; 1.0 to 1.4 are`] };
  return { settings: read.data };
}
