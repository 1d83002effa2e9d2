import { readPoints } from "./read-points.ts";

console.log(JSON.stringify(await readPoints(process.argv.at(-1) ?? "")));
