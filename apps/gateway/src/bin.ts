#!/usr/bin/env node
import { requireNode } from "@proj/program/require-node";

requireNode(new URL("../package.json", import.meta.url));
const [{ startProgram }, { limitCollections }, { gateway }] = await Promise.all([
  import("@proj/program"),
  import("./limit-collections.ts"),
  import("./main.ts"),
]);
limitCollections();
await startProgram(gateway);
