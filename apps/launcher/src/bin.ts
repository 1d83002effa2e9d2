#!/usr/bin/env node
import { requireNode } from "@proj/program/require-node";

requireNode(new URL("../package.json", import.meta.url));
const { hideSecrets } = await import("./secrets/hide-secrets.ts");
hideSecrets();
const [{ startProgram }, { launcher }] = await Promise.all([
  import("@proj/program"),
  import("./main.ts"),
]);
await startProgram(launcher);
