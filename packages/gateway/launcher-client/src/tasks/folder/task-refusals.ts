import type {
  Artifact,
  EnvironmentSettings,
  NetworkSettings,
  TaskSettings,
  VerifierSettings,
} from "./task-settings.ts";

/** A member that is known and cannot be obeyed here. */
export interface Refusal {
  /** As in task.toml: `environment.gpus`. */
  readonly member: string;
  readonly why: string;
}

/** Everything in the settings that would have to be ignored. */
export function refusalsOf(settings: TaskSettings): readonly Refusal[] {
  const refusals: Refusal[] = [];
  const refuse = (isMeant: boolean, member: string, why: string): void => {
    if (isMeant) refusals.push({ member, why });
  };
  const environment = (place: string, given: EnvironmentSettings): void => {
    refuse(given.os === "windows", `${place}.os`, "only Linux containers can be run");
    refuse(given.memory !== undefined, `${place}.memory`, "is old: write memory_mb");
    refuse(given.storage_mb !== undefined, `${place}.storage_mb`, storage);
    refuse(given.storage !== undefined, `${place}.storage`, storage);
    refuse((given.gpus ?? 0) > 0, `${place}.gpus`, "containers get no GPUs");
    refuse((given.gpu_types ?? []).length > 0, `${place}.gpu_types`, "containers get no GPUs");
    refuse(given.tpu !== undefined, `${place}.tpu`, "containers get no TPUs");
    refuse(
      given.mcp_servers.length > 0,
      `${place}.mcp_servers`,
      "agents are not told of MCP servers",
    );
    refuse(given.skills_dir !== undefined, `${place}.skills_dir`, "agents are not given skills");
    network(place, given);
  };
  const network = (place: string, { network_mode, allowed_hosts }: NetworkSettings): void => {
    refuse(network_mode === "allowlist", `${place}.network_mode`, "allowlist needs a filter");
    refuse(
      allowed_hosts !== undefined && network_mode !== "allowlist",
      `${place}.allowed_hosts`,
      "is only valid with network_mode = 'allowlist'",
    );
  };
  const verifier = (place: string, given: VerifierSettings): void => {
    network(place, given);
    if (given.environment !== undefined) environment(`${place}.environment`, given.environment);
    refuse(
      given.environment_mode === "shared" && given.environment !== undefined,
      `${place}.environment`,
      "is incompatible with environment_mode = 'shared'",
    );
    for (const [at, { service }] of given.collect.entries())
      refuse(service !== "main", `${place}.collect.${at}.service`, onlyMain);
  };
  const artifacts = (place: string, given: readonly Artifact[]): void => {
    for (const [at, { service, source, destination, exclude }] of given.entries()) {
      refuse(destination !== null, `${place}.${at}.destination`, "artifacts are not kept");
      refuse(exclude.length > 0, `${place}.${at}.exclude`, "artifacts are handed over whole");
      refuse(service !== "main", `${place}.${at}.service`, onlyMain);
      refuse(!source.startsWith("/"), `${place}.${at}.source`, "must be an absolute path");
    }
  };
  environment("environment", settings.environment);
  network("agent", settings.agent);
  verifier("verifier", settings.verifier);
  artifacts("artifacts", settings.artifacts);
  for (const [at, step] of (settings.steps ?? []).entries()) {
    network(`steps.${at}.agent`, step.agent);
    verifier(`steps.${at}.verifier`, step.verifier);
    artifacts(`steps.${at}.artifacts`, step.artifacts);
  }
  return refusals;
}

const storage = "neither engine limits the disk of a container everywhere";
const onlyMain = "there is one container, 'main'";
