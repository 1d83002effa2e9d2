#!/usr/bin/env node
import { requireNode } from "@proj/program/require-node";
import { keepTicksFast } from "./keep-ticks-fast.ts";

requireNode(new URL("../package.json", import.meta.url));
keepTicksFast();
const [{ startProgram }, { limitCollections }, { gateway }] = await Promise.all([
  import("@proj/program"),
  import("./limit-collections.ts"),
  import("./main.ts"),
]);
limitCollections();
await startProgram(gateway);
