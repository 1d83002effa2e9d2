// @boundaries-ignore what all packages share is at the root
export { default } from "../../../vitest.shared.ts";
