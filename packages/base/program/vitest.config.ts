// @boundaries-ignore the shared settings of packages that need PostgreSQL are at the root
export { default } from "../../../vitest.postgres.ts";
