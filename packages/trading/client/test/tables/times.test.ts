import { formatWireTime } from "@proj/trading-client/wire";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createFieldReader } from "../../src/tables/read-fields.ts";

const start = Date.UTC(2026, 11, 31, 23, 58);
/** Times a few minutes apart, across a year's end, some without milliseconds. */
const times = fc.array(fc.tuple(fc.integer({ min: 0, max: 300_000 }), fc.boolean()));

test("times are read correctly in any order", () => {
  fc.assert(
    fc.property(times, (list) => {
      const readFields = createFieldReader("Offer");
      for (const [offset, isOfOlderServer] of list) {
        const time = start + (isOfOlderServer ? offset - (offset % 1000) : offset);
        const text = formatWireTime(time);
        const read = readFields({ time: isOfOlderServer ? text.slice(0, 14) : text }, {});
        expect(read?.time).toMatchObject({ epochMilliseconds: time });
      }
    }),
  );
});

test.each(["12312026235860000", "1231202623585900x"])("%j is refused as a time", (time) => {
  const readFields = createFieldReader("Offer");
  readFields({ time: "12312026235859000" }, {});
  expect(() => readFields({ time }, {})).toThrow("is not a time");
});
