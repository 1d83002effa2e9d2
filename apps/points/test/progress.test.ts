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

test("on a terminal one line says how far work is, and is taken away", () => {
  expect(shownOn(true)).toBe("\r\x1b[K1,234 lines\r\x1b[K");
});

test("elsewhere nothing is shown", () => {
  expect(shownOn(false)).toBe("");
});
