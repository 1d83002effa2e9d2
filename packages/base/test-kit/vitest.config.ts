// @boundaries-ignore what packages that need PostgreSQL share is at the root
export { default } from "../../../vitest.postgres.ts";
