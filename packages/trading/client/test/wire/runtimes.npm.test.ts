import { fileURLToPath } from "node:url";
import { isLeftOut } from "@proj/test-kit";
import { webRuntimes } from "@proj/test-kit/web-runtimes";
import { describe, expect, test } from "vitest";

const script = fileURLToPath(new URL("told-times.ts", import.meta.url));

describe.each(await webRuntimes())("in $name $version", ({ name, bin, tell }) => {
  const leftOut = isLeftOut(
    `wire types in ${name}`,
    bin !== null,
    "npm and its registry are needed",
  );

  test.skipIf(leftOut)("wire times are read and written", async () => {
    expect(await tell(script, "04252018120716391")).toEqual({
      parsed: Date.UTC(2018, 3, 25, 12, 7, 16, 391),
      ...{ again: "04252018120716391", date: "04252018" },
    });
  });
});
