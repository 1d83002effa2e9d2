// Builds and packs every package, with the tarballs' sums beside them. Nothing is checked: verify:publish does that.
//
//   node scripts/release/pack.mjs DIR
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { build, pack, writeSums } from "../verify-publish/pack.mjs";

const [to] = process.argv.slice(2);
if (to === undefined) {
  console.error("usage: pack.mjs DIR");
  process.exit(2);
}
const folder = resolve(to);
await mkdir(folder, { recursive: true });
await build();
await writeSums(folder, await pack(folder));
