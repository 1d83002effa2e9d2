import fc from "fast-check";
import { expect, test } from "vitest";
import { type Link, LinkedList } from "../../src/waiting/linked-list.ts";

test("the others stay in order, whichever leave", () => {
  const step = fc.oneof(fc.constant("append" as const), fc.nat());
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const list = new LinkedList<number>();
      const links: Link<number>[] = [];
      let expected: number[] = [];
      for (const [value, what] of steps.entries()) {
        if (what === "append") {
          links.push(list.append(value));
          expected.push(value);
          continue;
        }
        const link = links[what % Math.max(links.length, 1)];
        if (link === undefined) continue;
        expect(list.remove(link)).toBe(expected.includes(link.value));
        expected = expected.filter((one) => one !== link.value);
      }
      expect([...list]).toEqual(expected);
      expect(list.size).toBe(expected.length);
    }),
  );
});
