// @boundaries-ignore what all packages share stands at the root
export { default } from "../../vitest.shared.ts";
