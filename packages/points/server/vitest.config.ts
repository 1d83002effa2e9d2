import { mergeConfig, type ViteUserConfig } from "vitest/config";
// @boundaries-ignore what packages that start programs share is at the root
import { bundled } from "../../../vitest.bundled.ts";
// @boundaries-ignore the shared settings of packages that need PostgreSQL are at the root
import shared from "../../../vitest.postgres.ts";

/**
 * Each test starts threads with new heaps, whose collections took a seventh of the CPU. They come later, and without
 * helper threads, which would take the cores from other tests. Packages that measure memory cannot have this.
 */
const execArgv = [
  "--initial-old-space-size=128",
  "--min-semi-space-size=16",
  "--single-threaded-gc",
];

const programs = [new URL("test/crash/replayed-history.ts", import.meta.url)];
const threads = { "@proj/points-server/worker": new URL("src/worker.ts", import.meta.url) };

const config: ViteUserConfig = mergeConfig(mergeConfig(shared, bundled({ programs, threads })), {
  test: { execArgv },
});

export default config;
