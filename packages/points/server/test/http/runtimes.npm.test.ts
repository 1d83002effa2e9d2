import { fileURLToPath } from "node:url";
import { isLeftOut } from "@proj/test-kit";
import { webRuntimes } from "@proj/test-kit/web-runtimes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedStore, serveStore, swap } from "./served-store.ts";

const script = fileURLToPath(new URL("told-points.ts", import.meta.url));

let served: ServedStore;
beforeAll(async () => {
  const events = Array.from({ length: 60 }, (_, index) => swap(`a${index + 1}`, index + 1));
  served = await serveStore([...events, swap("large", 12_345_678_901_234_567_890n)]);
});
afterAll(() => served?.[Symbol.asyncDispose]());

describe.each(await webRuntimes())("in $name $version", ({ name, bin, tell }) => {
  const leftOut = isLeftOut(
    `points-client in ${name}`,
    bin !== null,
    "npm and its registry are needed",
  );

  test.skipIf(leftOut)("the client reads a real service, and reports its failures", async () => {
    expect(await tell(script, served.url)).toEqual({
      ...{ own: 55, isSame: true, ranks: 61, failed: "ConnectionError", aborted: true },
      closed: expect.stringContaining("is closed"),
      refused: expect.stringContaining("answered 400"),
      points: "12345678901234567890000000",
      shown: "12,345,678,901,234,567,890",
    });
  });
});
