import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  freePort,
  isLeftOut,
  type Listening,
  temporaryFolder,
  waitFor,
  within,
} from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { errorOnOwnConnection } from "./own-connection.ts";
import { askAll, ids, startStandIn } from "./stand-in.ts";

const isWithoutNginx = isLeftOut(
  "several gateways behind nginx",
  spawnSync("nginx", ["-v"]).status === 0,
  "Debian: apt-get install nginx-light",
);
const source = new URL("../../../../deploy/nginx/nginx.conf", import.meta.url);

async function startNginx(gateways: readonly Listening[]) {
  const folder = await temporaryFolder();
  const port = await freePort();
  const config = (await readFile(source, "utf8"))
    .replaceAll(/10\.0\.0\.([12]):8000/g, (_, n) => `127.0.0.1:${gateways[Number(n) - 1]?.port}`)
    .replace("listen 8000", `listen 127.0.0.1:${port}`)
    .replace("http {", "http {\n  access_log off;\n");
  await writeFile(join(folder.path, "nginx.conf"), config);
  const own = `daemon off; master_process off; pid ${folder.path}/nginx.pid; error_log stderr;`;
  const args = ["-c", join(folder.path, "nginx.conf"), "-p", folder.path, "-g", own];
  const nginx = spawn("nginx", args, { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  nginx.stderr.on("data", (some: Buffer) => {
    errors += some.toString();
  });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(() => {
    if (nginx.exitCode !== null) throw new Error(`nginx ended:\n${errors}`);
    return fetch(url).catch(() => null);
  }, "nginx to answer");
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      const gone = once(nginx, "exit");
      nginx.kill("SIGKILL");
      await within(gone, "the end of nginx");
      await folder.remove();
    },
  };
}

describe.skipIf(isWithoutNginx)("nginx.conf", () => {
  test("one gateway not ready: its sessions go to the other; all not ready: each keeps its own", async () => {
    await using first = await startStandIn("first");
    await using second = await startStandIn("second");
    await using nginx = await startNginx([first, second]);
    const ready = await askAll(nginx.url);
    expect(ready).toEqual(ids.map((id) => expect.stringMatching(`^200 (first|second) ${id}$`)));
    expect(new Set(ready.map((answer) => answer.split(" ")[1]))).toEqual(
      new Set(["first", "second"]),
    );
    expect(await askAll(nginx.url, encodeURIComponent)).toEqual(ready);

    first.isReady = false;
    expect(await askAll(nginx.url)).toEqual(ids.map((id) => `200 second ${id}`));
    second.isReady = false;
    expect(await askAll(nginx.url)).toEqual(ready.map((answer) => answer.replace("200", "503")));

    first.isReady = true;
    second.isReady = true;
    await waitFor(async () => `${await askAll(nginx.url)}` === `${ready}`, "both to be back");
  });

  test("requests that come while a gateway is frozen are the other's", async () => {
    await using first = await startStandIn("first");
    await using second = await startStandIn("second");
    await using nginx = await startNginx([first, second]);
    expect((await askAll(nginx.url)).join()).toContain("first");
    first.isFrozen = true;
    expect(await askAll(nginx.url)).toEqual(ids.map((id) => `200 second ${id}`));
  });

  test("if no gateway can be reached, the error has the API's shape", async () => {
    await using first = await startStandIn("first");
    await using second = await startStandIn("second");
    await using nginx = await startNginx([first, second]);
    await Promise.all([first.close(), second.close()]);
    const { status, code, headers } = await errorOnOwnConnection(`${nginx.url}/v1/models`);
    expect([status, code, headers["x-should-retry"]]).toEqual([502, "gateway_unreachable", "true"]);
  });
});
