// Publishes one generation of files, and kills itself before the given call of the file system:
// `node killed-publish.ts FOLDER GENERATION CALL`.
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { generation } from "./generation.ts";

const [folder = "", name = "", killAt = "0"] = process.argv.slice(2);
let calls = 0;
for (const [called, original] of Object.entries(files)) {
  if (typeof original !== "function") continue;
  Reflect.set(files, called, (...args: unknown[]): unknown => {
    calls += 1;
    if (calls === Number(killAt)) {
      process.kill(process.pid, "SIGKILL");
      for (;;);
    }
    return Reflect.apply(original, files, args);
  });
}
syncBuiltinESMExports();

const { currentFolder, publish } = await import("../../src/output/output-folder.ts");
await publish(folder, generation(name), await currentFolder(folder));
