import { join } from "node:path";
import type { EngineName } from "./container/engine.ts";
import { EngineFailed } from "./container/engine-failed.ts";
import { type ContainerPlan, TaskContainer } from "./container/task-container.ts";
import { type ImageSource, type TaskImage, TaskImages } from "./container/task-image.ts";
import { resolveVariables } from "./folder/resolve-variables.ts";
import type { TaskFolder } from "./folder/task-folder.ts";
import type { EnvironmentSettings, Healthcheck } from "./folder/task-settings.ts";
import { awaitHealthy } from "./healthcheck.ts";
import { Places } from "./places.ts";

/** What a verifier sees of an agent's container: its work outside the system's folders, or all of its files. */
export type VerifierSight = "work" | "whole";

export interface TaskOptions {
  readonly engine: EngineName;
  /** Of this machine, mounted at the same paths for agents to read. */
  readonly readable?: readonly string[];
  /** How many containers may be starting at once, their images' builds included. @default 4 */
  readonly starting?: number;
  /** @default work */
  readonly verifierSees?: VerifierSight;
}

/** What the tasks of one launcher share: the engine, images, and the places for starting containers. */
export class TaskSite {
  readonly engine: EngineName;
  readonly verifierSees: VerifierSight;
  readonly #images: TaskImages;
  readonly #starting: Places;
  readonly #readable: readonly string[];

  constructor({ engine, readable = [], starting = 4, verifierSees = "work" }: TaskOptions) {
    this.engine = engine;
    this.verifierSees = verifierSees;
    this.#images = new TaskImages(engine);
    this.#starting = new Places(starting);
    this.#readable = readable;
  }

  image(task: TaskFolder, settings: EnvironmentSettings, signal: AbortSignal): Promise<TaskImage> {
    return this.#images.of(sourceOf(settings, join(task.path, "environment")), signal);
  }

  /** The image of a verifier with an environment of its own, in the folder `tests`. */
  imageIn(folder: string, settings: EnvironmentSettings, signal: AbortSignal): Promise<TaskImage> {
    return this.#images.of(sourceOf(settings, folder), signal);
  }

  /**
   * Starts a container, waits until it is healthy, and removes it when the work is done.
   * @throws EngineFailed
   */
  async within<T>(
    plan: {
      readonly image: (signal: AbortSignal) => Promise<TaskImage>;
      readonly settings: EnvironmentSettings;
      readonly network: ContainerPlan["network"];
      readonly mounts?: ContainerPlan["mounts"];
      readonly llm_base_url?: string;
      readonly healthcheck?: Healthcheck | undefined;
    },
    work: (container: TaskContainer, image: TaskImage) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const { settings, network, mounts = [], llm_base_url = null } = plan;
    const readable = this.#readable.map((path) => ({ source: path, target: path, readonly: true }));
    const [container, image] = await this.#starting
      .during(async () => {
        const image = await plan.image(signal);
        const container = await TaskContainer.start(
          {
            ...{ engine: this.engine, image, network, llm_base_url },
            cpus: settings.cpus ?? null,
            memoryMb: settings.memory_mb ?? null,
            env: resolveVariables(settings.env),
            workdir: settings.workdir ?? null,
            mounts: [...(llm_base_url === null ? [] : readable), ...mounts],
          },
          signal,
        );
        return [container, image] as const;
      }, signal)
      .catch((error: unknown) => {
        signal.throwIfAborted();
        throw new EngineFailed(error instanceof Error ? error.message : String(error));
      });
    try {
      await awaitHealthy(container, plan.healthcheck, signal);
      return await work(container, image);
    } finally {
      await container.remove();
    }
  }
}

const sourceOf = (
  { docker_image, build_timeout_sec }: EnvironmentSettings,
  folder: string,
): ImageSource => {
  const buildMs = build_timeout_sec * 1000;
  return docker_image === undefined ? { folder, buildMs } : { image: docker_image, buildMs };
};
