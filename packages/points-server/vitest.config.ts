import { mergeConfig, type ViteUserConfig } from "vitest/config";
// @boundaries-ignore the shared settings of packages that need PostgreSQL are at the root
import shared from "../../vitest.postgres.ts";

/**
 * Each test starts threads with new heaps, whose collections took a seventh of the CPU. They come later, and without
 * helper threads, which would take the cores from other tests. Packages that measure memory cannot have this.
 */
const execArgv = [
  "--initial-old-space-size=128",
  "--min-semi-space-size=16",
  "--single-threaded-gc",
];

const config: ViteUserConfig = mergeConfig(shared, { test: { execArgv } });

export default config;
