import { expect, test } from "vitest";
import { corpus, scoreOf } from "./corpus.ts";

const files = corpus();

test.each(files)("in $name every model is found, without false positives", (file) => {
  const { missed, invented } = scoreOf(file);
  expect({ missed, invented }).toEqual({ missed: [], invented: [] });
});

test("the corpus has at least 300 places in 15 formats and languages", () => {
  const places = files.flatMap((file) => file.places);
  const formats = files.map(({ name }) =>
    name
      .replace(/\.txt$/, "")
      .split(".")
      .at(-1),
  );
  expect(places.length).toBeGreaterThanOrEqual(300);
  expect(new Set(formats).size).toBeGreaterThanOrEqual(15);
});
