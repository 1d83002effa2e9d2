// Prints how well models are found in source, per file: `pnpm --filter deprecation-feed corpus`.
import { corpus, scoreOf } from "./corpus.ts";

const total = { places: 0, found: 0, invented: 0 };
const wrong: string[] = [];
console.log("places  found  invented");
for (const file of corpus()) {
  const { found, missed, invented } = scoreOf(file);
  total.places += file.places.length;
  total.found += found;
  total.invented += invented.length;
  wrong.push(
    ...missed.map((place) => `missed ${place}`),
    ...invented.map((place) => `invented ${place}`),
  );
  const cells = [file.places.length, found, invented.length].map((value) =>
    String(value).padStart(6),
  );
  console.log(`${cells.join(" ")}     ${file.name}`);
}
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
console.log(
  `\n${total.places} places: recall ${percent(total.found, total.places)}, precision ${percent(total.found, total.found + total.invented)}`,
);
for (const line of wrong) console.log(`  ${line}`);
