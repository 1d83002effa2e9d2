import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as bundled from "@proj/database/kysely";
import * as kysely from "kysely";
import { expect, test } from "vitest";

const file = fileURLToPath(import.meta.resolve("@proj/database/kysely"));
const manifest = new URL("../package.json", import.meta.resolve("kysely"));

test("Kysely is one file, in the installed version, with its license", async () => {
  const text = await readFile(file, "utf8");
  const { version } = JSON.parse(await readFile(manifest, "utf8"));
  expect(/\bimport\s*["{*(]|\}\s*from\s*"/.test(text)).toBe(false);
  expect(text.startsWith(`/*!\nKysely ${version}\n\n`)).toBe(true);
  expect(text.slice(0, 2_000)).toContain("Permission is hereby granted, free of charge");
});

test("it exports the same as src/kysely.ts, and compiles as Kysely itself does", () => {
  const pool = (): Promise<never> => Promise.reject(new Error("nothing is run"));
  const builderOf = (from: Pick<typeof kysely, keyof typeof bundled>) =>
    new from.Kysely<{ notes: { id: number; text: string } }>({
      dialect: new from.PostgresDialect({ pool }),
    });
  const compile = (from: Pick<typeof kysely, keyof typeof bundled>) =>
    builderOf(from)
      .insertInto("notes")
      .values({ id: 1, text: from.sql`lower(${"A"})` })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .compile();
  expect(Object.keys(bundled).filter((name) => !(name in kysely))).toEqual([]);
  const { sql, parameters } = compile(bundled);
  expect({ sql, parameters }).toEqual({
    sql: compile(kysely).sql,
    parameters: [1, "A"],
  });
});
