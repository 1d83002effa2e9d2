import { existsSync } from "node:fs";
import { limitLines } from "../child-process/command-limits.ts";
import { markVariable } from "../child-process/command-mark.ts";
import { engineEnvironment } from "./engine-environment.ts";
import { ownOfImages } from "./image-variables.ts";
import { type AgentNetwork, announcement, type Sandbox, type SandboxedScript } from "./sandbox.ts";

export interface ContainerOptions {
  /** The program that runs containers. Its service must be on this machine. */
  readonly engine: "podman" | "docker";
  /** The image, with the programs that an agent may use and with `/bin/sh`. */
  readonly image: string;
  /** Other files and folders that an agent may read, at the same paths. Absolute paths without a comma. */
  readonly readable?: readonly string[];
  /** @default session */
  readonly network?: AgentNetwork;
}

/**
 * The engine's environment has these variables too, with its own values, so the agent's values are arguments. None
 * of them is secret.
 */
const named: ReadonlySet<string> = new Set([
  ...["HOME", "USERPROFILE", "TMPDIR", "TMP", "TEMP", "USER", "LOGNAME"],
]);

/**
 * A container's first process gets no signal that it does not handle, so the script runs as its child. Ending a
 * command finds both by their mark, and all processes of a container end with its first.
 *
 * It takes the line of input before the script begins: podman loses what a container printed if the container ends
 * while its input is still on its way.
 */
const firstProcess = `trap : TERM
IFS= read -r input
/bin/sh -c "$0" <<.
$input
.
exit $?`;

/**
 * A container of podman or docker (Linux): the command sees the image's programs, what is readable, and its own
 * folder, and reaches nothing but its session's endpoint. Limits of memory and processes hold for all of its
 * processes together. `enter` throws an Error where the engine would ignore a limit.
 * @throws TypeError a path has a comma
 */
export function container({
  engine,
  image,
  readable = [],
  network = "session",
}: ContainerOptions): Sandbox {
  const view = [
    ...[
      "run",
      "--rm",
      "--interactive",
      "--network",
      network === "session" ? "none" : "host",
      "--read-only",
    ],
    ...["--cap-drop", "all", "--security-opt", "no-new-privileges"],
    // SELinux would deny access to mounted folders.
    ...["--security-opt", "label=disable"],
    ...["--tmpfs", "/tmp", "--tmpfs", "/var/tmp"],
    ...readable.flatMap((path) => mount(path, true)),
  ];
  return {
    description: `a container of ${engine}`,
    network,
    enter: (script) => {
      const { cwd, folder, env } = script;
      const place = cwd.startsWith(folder.root) ? [] : mount(cwd, true);
      // Each is mounted: a process inside cannot put anything else in its place.
      const { work, home, tmp } = folder;
      const writable = [work, home, tmp].flatMap((path) => mount(path, false));
      const own = [...writable, ...place, "--workdir", cwd];
      const { memoryBytes, processes, ...limits } = script.limits;
      if (memoryBytes !== undefined || processes !== undefined) checkLimits(engine);
      const bounds = [
        ...(memoryBytes === undefined
          ? []
          : ["--memory", String(memoryBytes), "--memory-swap", String(memoryBytes)]),
        ...(processes === undefined ? [] : ["--pids-limit", String(processes)]),
      ];
      const shell = ["-c", firstProcess, `${limitLines(limits)}${announcement}${script.script}`];
      const args = [...view, ...own, ...bounds, ...userOf(engine, script), ...variablesOf(env)];
      return {
        file: engine,
        args: [...args, "--entrypoint", "/bin/sh", image, ...shell],
        env: { ...env, ...engineEnvironment() },
        cwd: "/",
        user: null,
        isAnnounced: true,
      };
    },
  };
}

function mount(path: string, isReadOnly: boolean): readonly string[] {
  if (path.includes(",")) throw new TypeError(`a container cannot mount '${path}': it has a comma`);
  return ["--mount", `type=bind,source=${path},target=${path}${isReadOnly ? ",readonly" : ""}`];
}

const isRootless = (engine: ContainerOptions["engine"]): boolean =>
  engine === "podman" && process.getuid?.() !== 0;

/** @throws Error podman would ignore them, with a warning that nobody reads */
function checkLimits(engine: ContainerOptions["engine"]): void {
  if (!isRootless(engine) || existsSync("/sys/fs/cgroup/cgroup.controllers")) return;
  throw new Error(
    "podman cannot limit the memory or the processes of containers here: without root it needs cgroups v2",
  );
}

function userOf(engine: ContainerOptions["engine"], { user }: SandboxedScript): readonly string[] {
  const uid = user?.uid ?? process.getuid?.() ?? 0;
  const gid = user?.gid ?? process.getgid?.() ?? 0;
  return [...(isRootless(engine) ? ["--userns", "keep-id"] : []), "--user", `${uid}:${gid}`];
}

/** Values that may be secret go through the engine's environment, because anyone can read its arguments. */
const variablesOf = (env: SandboxedScript["env"]): readonly string[] =>
  [...Object.entries(env), [markVariable, ""] as const]
    .filter(([name]) => !ownOfImages.has(name))
    .flatMap(([name, value]) => ["--env", named.has(name) ? `${name}=${value}` : name]);
