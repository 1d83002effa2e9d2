#!/usr/bin/env node
import { requireNode } from "@proj/program/require-node";

requireNode(new URL("../package.json", import.meta.url));
const [{ startProgram }, { arena }] = await Promise.all([
  import("@proj/program"),
  import("./main.ts"),
]);
await startProgram(arena);
