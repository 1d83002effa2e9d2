import { mergeConfig, type ViteUserConfig } from "vitest/config";
// @boundaries-ignore what packages that need PostgreSQL share is at the root
import shared from "../../vitest.postgres.ts";

/** All tests run with SQLite, and those that use the storage with PostgreSQL as well. */
const config: ViteUserConfig = mergeConfig(shared, {
  test: {
    // How much memory a command's output takes is not to be told from what other tests left behind.
    isolate: true,
    projects: [
      { extends: true, test: { name: "sqlite", env: { TEST_STORE: "sqlite" } } },
      {
        extends: true,
        test: {
          name: "postgres",
          exclude: [
            "test/*.test.ts",
            "test/training/formats.pypi.test.ts",
            "test/{answer,child-process,evaluator,gateway,preflight,runtime,simulation}/**",
          ],
          env: { TEST_STORE: "postgres" },
        },
      },
    ],
  },
});

export default config;
