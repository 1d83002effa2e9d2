import { expect, test } from "vitest";
import { unpacked } from "../../src/bytes/packed-texts.ts";
import { BlockBuffer } from "../../src/snapshots/block-buffer.ts";

const megabyte = 1024 * 1024;

test("texts and bytes are read back unchanged, also after the buffer was emptied", () => {
  const buffer = new BlockBuffer();
  for (let round = 0; round < 3; round += 1) {
    buffer.empty();
    const texts = [`round ${round}`, "", "Größe 🙂", "line\nline"];
    for (const text of texts) expect(buffer.add(text)).toBe(true);
    expect(buffer.add(Buffer.from("of bytes"))).toBe(true);
    expect([...unpacked(buffer.blocks)]).toEqual([...texts, "of bytes"]);
  }
});

test("a block that does not fit is refused, but an empty buffer takes a block of any size", () => {
  const buffer = new BlockBuffer();
  const large = "x".repeat(megabyte);
  let taken = 0;
  while (buffer.add(large)) taken += 1;
  expect(taken).toBeGreaterThan(0);
  expect([...unpacked(buffer.blocks)]).toEqual(new Array(taken).fill(large));

  for (const huge of ["é".repeat(8 * megabyte), Buffer.alloc(20 * megabyte, "y")]) {
    expect(buffer.add(huge)).toBe(false);
    buffer.empty();
    expect(buffer.add(huge)).toBe(true);
    expect([...unpacked(buffer.blocks)]).toEqual([huge.toString()]);
  }
});
