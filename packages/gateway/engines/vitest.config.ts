// @boundaries-ignore the settings that all packages share are at the root
export { default } from "../../../vitest.shared.ts";
