import { cleanTasks, type EngineName } from "@proj/launcher-client";
import { type Command, defineCommand, exitCode, oneOf } from "@proj/program";

/** Removes what `run --tasks` keeps in an engine for containers. */
export const cleanTasksCommand: Command = defineCommand({
  name: "clean-tasks",
  summary: "remove the images that --tasks has built, and containers that a killed launcher left",
  options: {
    engine: oneOf("NAME", ["podman", "docker"] as const, "the engine for containers (podman)"),
  },
  async run({ options }, { signal }) {
    const engine: EngineName = options.engine ?? "podman";
    const { images, containers } = await cleanTasks(engine, signal);
    console.log(`Removed ${images} images and ${containers} containers.`);
    return exitCode.done;
  },
});
