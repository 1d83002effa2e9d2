import { expect, test } from "vitest";
import { counted, createProgress } from "../src/progress.ts";

const shownOn = (isTTY: boolean): string => {
  let shown = "";
  const write = (text: string): void => {
    shown += text;
  };
  const progress = createProgress({ isTTY, write });
  progress.show(counted(1_234, "line"));
  progress.clear();
  return shown;
};

test("on a terminal, one line shows the progress and is erased", () => {
  expect(shownOn(true)).toBe("\r\x1b[K1,234 lines\r\x1b[K");
});

test("elsewhere nothing is printed", () => {
  expect(shownOn(false)).toBe("");
});
