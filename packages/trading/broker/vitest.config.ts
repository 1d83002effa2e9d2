import { mergeConfig, type ViteUserConfig } from "vitest/config";
// @boundaries-ignore what packages that start programs share is at the root
import { bundled } from "../../../vitest.bundled.ts";
// @boundaries-ignore what all packages share is at the root
import shared from "../../../vitest.shared.ts";

const programs = [new URL("test/state/trading-program.ts", import.meta.url)];

const config: ViteUserConfig = mergeConfig(shared, bundled({ programs }));

export default config;
