import { mergeConfig, type ViteUserConfig } from "vitest/config";
// @boundaries-ignore what packages that start programs share is at the root
import { bundled } from "../../../vitest.bundled.ts";
// @boundaries-ignore what packages that need PostgreSQL share is at the root
import shared from "../../../vitest.postgres.ts";

const config: ViteUserConfig = mergeConfig(shared, bundled({ withStorageThreads: true }));

export default config;
