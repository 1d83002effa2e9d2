import type { TaskFolder } from "@proj/launcher-client";

/** A line that says what a task needs. */
export function taskNeeds({ name, settings }: TaskFolder): string {
  const { environment, agent, verifier, steps = [] } = settings;
  const needs = [
    environment.docker_image === undefined ? "builds an image" : environment.docker_image,
    ...(environment.cpus === undefined ? [] : [`${environment.cpus} CPUs`]),
    ...(environment.memory_mb === undefined ? [] : [`${environment.memory_mb} MB`]),
    `network ${agent.network_mode ?? environment.network_mode ?? "public"}`,
    ...variablesOf(settings),
    ...(agent.timeout_sec === undefined ? [] : [`agent ${agent.timeout_sec} s`]),
    `verifier ${verifier.timeout_sec ?? 600} s`,
    ...(steps.length === 0 ? [] : [`${steps.length} steps`]),
  ];
  return `${name}: ${needs.join(", ")}`;
}

/** The variables of the launcher that it reads. */
function variablesOf({ environment, verifier, solution }: TaskFolder["settings"]): string[] {
  const values = [environment.env, verifier.env ?? {}, solution.env].flatMap(Object.values);
  const names = values.flatMap((value: string) => /^\$\{([^}:]+)\}$/.exec(value)?.[1] ?? []);
  return names.length === 0 ? [] : [`variables ${[...new Set(names)].join(", ")}`];
}
