import { fileURLToPath } from "node:url";
import { mergeConfig, type ViteUserConfig } from "vitest/config";
import shared from "./vitest.shared.ts";

const setup = "packages/base/test-kit/src/postgres/postgres-setup.ts";

/** For packages whose tests need PostgreSQL: one server for all their test files. */
const postgres: ViteUserConfig = mergeConfig(shared, {
  test: { globalSetup: [fileURLToPath(new URL(setup, import.meta.url))] },
});

export default postgres;
