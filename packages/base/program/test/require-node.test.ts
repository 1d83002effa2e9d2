import { expect, test, vi } from "vitest";
import { requireNode } from "../src/require-node.ts";

const manifest = new URL("../package.json", import.meta.url);

test.each(["22.19.0", "22.20.0", "23.0.0", "26.10.0"])("Node %s is accepted", (version) => {
  const exit = vi.spyOn(process, "exit");
  requireNode(manifest, version);
  expect(exit).not.toHaveBeenCalled();
  exit.mockRestore();
});

test.each(["22.18.9", "20.20.2", "8.0.0"])(
  "Node %s is refused, with the version that is needed",
  (version) => {
    const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    const told = vi.spyOn(console, "error").mockImplementation(() => {});
    try {
      expect(() => requireNode(manifest, version)).toThrow("exit 3");
      expect(told.mock.calls[0]?.[0]).toMatch(`needs Node 22.19 or newer. This is Node ${version}`);
    } finally {
      exit.mockRestore();
      told.mockRestore();
    }
  },
);
