import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  bubblewrap,
  container,
  kubernetes,
  type PodTemplate,
  readPodTemplate,
  type Sandbox,
  slurm,
} from "@proj/launcher-client";
import { type OptionSettings, oneOf, optional, repeated, UsageError } from "@proj/program";
import { parse } from "yaml";
import type { ValuesOf } from "../options-of.ts";
import { fromOption } from "./from-option.ts";
import { requirePath } from "./require-path.ts";

const networks = ["session", "machine"] as const;
const places = ["local", "podman", "docker", "slurm", "kubernetes"] as const;
const sandboxes = ["none", "bubblewrap", "podman", "docker"] as const;

export const reach: OptionSettings = { group: "What agents run as commands can reach" };

/** The barrier around agents' commands. */
export const sandboxOptions = {
  place: oneOf(
    "NAME",
    places,
    "where agents run: on this machine, in its containers, as jobs of Slurm, with --workdirs on a shared file system, or in pods of Kubernetes (local)",
    reach,
  ),
  "place-option": repeated(
    "OPTION",
    "an option of srun, such as --partition=gpu, or of kubectl, such as --namespace=agents",
    reach,
  ),
  "place-pod": optional(
    "FILE",
    "with --place kubernetes: metadata and spec that agents' pods have besides the agent",
    { ...reach, completion: "files" },
  ),
  "runtime-sandbox": oneOf(
    "NAME",
    sandboxes,
    "agents see only their own folder and the programs of the system or, in a container, of --runtime-image (none)",
    reach,
  ),
  "runtime-image": optional("IMAGE", "the image of containers and pods", reach),
  "runtime-read": repeated("PATH", "another path that agents in a sandbox may read", {
    ...reach,
    completion: "files",
  }),
  "runtime-network": oneOf(
    "NAME",
    networks,
    "what agents in a sandbox reach: only their session's endpoint, or all that the machine does (session)",
    reach,
  ),
};

export type SandboxSettings = ValuesOf<typeof sandboxOptions>;

/** @param timeLimitMs after which a cluster ends an agent's job @throws UsageError options that exclude each other, or a path that does not exist */
export function sandboxOf(given: SandboxSettings, timeLimitMs: number): Sandbox | null {
  const { place } = given;
  if (!isCluster(place) && given["place-option"].length > 0)
    throw new UsageError("--place-option needs --place slurm or kubernetes");
  if (place !== "kubernetes" && given["place-pod"] !== null)
    throw new UsageError("--place-pod needs --place kubernetes");
  if (place !== null && place !== "local" && given["runtime-sandbox"] !== null)
    throw new UsageError(`--place ${place} and --runtime-sandbox exclude each other`);
  const isContainer = place === "podman" || place === "docker";
  const name = isContainer ? place : (given["runtime-sandbox"] ?? "none");
  const image = given["runtime-image"];
  const readable = given["runtime-read"].map((path) => resolve(path));
  if (readable.length > 0 && name === "none")
    throw new UsageError("--runtime-read needs --runtime-sandbox");
  if (given["runtime-network"] !== null && name === "none")
    throw new UsageError("--runtime-network needs --runtime-sandbox");
  const network = given["runtime-network"] ?? "session";
  for (const path of readable) requirePath("runtime-read", path);
  if (name === "podman" || name === "docker") {
    if (image === null)
      throw new UsageError(
        `--${isContainer ? "place" : "runtime-sandbox"} ${name} needs --runtime-image`,
      );
    return fromOption("runtime-read", () => container({ engine: name, image, readable, network }));
  }
  const options = given["place-option"];
  if (place === "kubernetes") {
    if (image === null) throw new UsageError("--place kubernetes needs --runtime-image");
    const file = given["place-pod"];
    const pod = file === null ? {} : { pod: fromOption("place-pod", () => readPod(file)) };
    return kubernetes({ image, options, timeLimitMs, ...pod });
  }
  if (image !== null)
    throw new UsageError("--runtime-image needs --place podman, docker or kubernetes");
  if (place === "slurm") return slurm({ options, timeLimitMs });
  return name === "none" ? null : bubblewrap({ readable, network });
}

/** Whether agents run on other machines, when their turn comes. */
export const isCluster = (place: SandboxSettings["place"]): boolean =>
  place === "slurm" || place === "kubernetes";

/** @throws TypeError it cannot be read, or does not describe a pod */
function readPod(path: string): PodTemplate {
  try {
    return readPodTemplate(parse(readFileSync(path, "utf8")));
  } catch (error) {
    throw new TypeError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
