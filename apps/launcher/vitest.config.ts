// @boundaries-ignore what packages that need PostgreSQL share stands at the root
export { default } from "../../vitest.postgres.ts";
