import { readFile } from "node:fs/promises";
import { join } from "node:path";

const paths = ["index.html", "v1/feed.json"];

/** Files that all contain their generation. */
export const generation = (name: string): ReadonlyMap<string, string> =>
  new Map(paths.map((path) => [path, `${name} `.repeat(10_000)]));

/** The generation of the files in a folder, as any reader would see it; null: there are none. */
export async function readGeneration(folder: string): Promise<string | null> {
  const texts = await Promise.all(
    paths.map((path) => readFile(join(folder, path), "utf8").catch(() => null)),
  );
  if (texts.every((text) => text === null)) return null;
  const name = texts[0]?.split(" ", 1)[0] ?? "nothing";
  const expected = [...generation(name).values()];
  return texts.every((text, index) => text === expected[index]) ? name : `a mixture: ${texts}`;
}
