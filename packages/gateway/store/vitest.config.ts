import { mergeConfig, type ViteUserConfig } from "vitest/config";
// @boundaries-ignore the shared settings of packages that need PostgreSQL are at the root
import shared from "../../../vitest.postgres.ts";

/** `test/stores/` runs against every database; the other tests are for one database. */
const config: ViteUserConfig = mergeConfig(shared, {
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "sqlite",
          exclude: ["test/postgres/**"],
          env: { TEST_STORE: "sqlite" },
        },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          exclude: ["test/*.test.ts", "test/sqlite/**"],
          env: { TEST_STORE: "postgres" },
        },
      },
    ],
  },
});

export default config;
