import { mergeConfig, type ViteUserConfig } from "vitest/config";
// @boundaries-ignore what packages that need PostgreSQL share is at the root
import shared from "../../vitest.postgres.ts";

/** `test/stores/` holds for every database, and runs against each; the rest is one database's own. */
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
