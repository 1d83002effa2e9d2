import { readFileSync } from "node:fs";
import { errorKinds } from "@proj/gateway-protocol";
import { expect, test } from "vitest";

const page = readFileSync(new URL("../../../docs/troubleshooting.md", import.meta.url), "utf8");

test("docs/troubleshooting.md has every error code, with its status and whether to retry", () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d{3}) \| (yes|no) \|/gm)];
  const documented = rows.map(([, code, status, retry]) => `${code} ${status} ${retry}`);
  const codes = Object.entries(errorKinds).map(
    ([code, { status, retryable }]) => `${code} ${status} ${retryable ? "yes" : "no"}`,
  );
  expect(documented.toSorted()).toEqual(codes.toSorted());
});
