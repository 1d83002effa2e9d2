import { existsSync } from "node:fs";
import { temporaryFolder } from "@proj/test-kit";
import { afterEach, expect, test, vi } from "vitest";
import { RouteControl } from "../src/routes/route-control.ts";
import { SessionRegistry } from "../src/session/session-registry.ts";
import { startGateway } from "./start-gateway.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("a gateway closes every part even if some fail, and throws the first error", async () => {
  const folder = await temporaryFolder();
  const { gateway, url, databasePath } = await startGateway(
    { llm_routes: { demo: { base_url: "http://127.0.0.1:1/v1" } } },
    { folder: folder.path },
  );
  const fail = (message: string) => () => {
    throw new Error(message);
  };
  vi.spyOn(SessionRegistry.prototype, "dispose").mockImplementation(fail("first"));
  vi.spyOn(RouteControl.prototype, "close").mockImplementation(fail("second"));
  // SQLite keeps the file until the last connection is closed.
  expect(existsSync(`${databasePath}-wal`)).toBe(true);
  await expect(gateway.close()).rejects.toThrow("first");
  expect(existsSync(`${databasePath}-wal`)).toBe(false);
  await expect(fetch(url)).rejects.toThrow();
  await folder.remove();
});
