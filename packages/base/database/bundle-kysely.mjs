// `node bundle-kysely.mjs FILE`: writes the exports of `src/kysely.ts` as one module. Sources run with the file that
// every install makes, published packages with the file that the build makes.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const [file = ""] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const kysely = join(dirname(createRequire(import.meta.url).resolve("kysely")), "..");
const { version } = JSON.parse(readFileSync(join(kysely, "package.json"), "utf8"));
const license = readFileSync(join(kysely, "LICENSE"), "utf8");

await build({
  entryPoints: [join(here, "src/kysely.ts")],
  outfile: join(here, file),
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node22",
  // Names stay, for stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  // Kysely's license must be included in every copy.
  banner: { js: `/*!\nKysely ${version}\n\n${license.trim()}\n*/` },
  logLevel: "warning",
});
