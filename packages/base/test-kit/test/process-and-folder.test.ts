import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  listen,
  rawRequest,
  startDemoUpstream,
  startProcess,
  temporaryFolder,
  waitFor,
} from "../src/index.ts";

async function script(source: string, env?: Record<string, string>) {
  const folder = await temporaryFolder();
  const file = join(folder.path, "main.mjs");
  await writeFile(file, source);
  return { folder, process: startProcess([file, "argument"], env ? { env } : {}) };
}

test("a process has lines to wait for, takes signals, and reports its end", async () => {
  const source = `
    process.on("SIGTERM", () => { console.log("leaving"); process.exit(3); });
    console.log("started " + process.argv[2] + process.env.COLOUR);
    console.error("a warning");
    setInterval(() => {}, 1000);
  `;
  const { folder, process: running } = await script(source, { COLOUR: "red" });
  await using _folder = folder;
  await using _running = running;
  expect(await running.line(/^started/)).toBe("started argumentred");
  await running.line(/warning/);
  expect(running.stderr).toBe("a warning\n");
  running.kill();
  expect(await running.exit()).toEqual({ code: 3, signal: null });
  expect(running.stdout).toContain("leaving");
});

test("a process that ends without the line reports what it did print", async () => {
  const { folder, process: running } = await script(`console.log("only this")`);
  await using _folder = folder;
  await expect(running.line(/ready/)).rejects.toThrow(
    /ended without a line like \/ready\/[\s\S]*only this/,
  );
});

test("a process is dead once disposed of", async () => {
  const { folder, process: running } = await script(
    "setInterval(() => {}, 1000); console.log('up')",
  );
  await using _folder = folder;
  await running.line(/up/);
  await running[Symbol.asyncDispose]();
  expect(await running.exit()).toEqual({ code: null, signal: "SIGKILL" });
});

test("a folder exists until it is removed", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder.path, "file"), "x");
  await folder.remove();
  expect(existsSync(folder.path)).toBe(false);
  await folder.remove();
});

test("waitFor returns what it waited for, or says what did not come", async () => {
  let asked = 0;
  expect(await waitFor(() => (++asked > 2 ? asked : null), "three questions")).toBe(3);
  await expect(waitFor(() => false, "the moon", 20)).rejects.toThrow(
    "Timed out after 20 ms waiting for the moon.",
  );
  const broken = (): boolean => {
    throw new Error("broken");
  };
  await expect(waitFor(broken, "nothing")).rejects.toThrow("broken");
});

test("listen closes both kinds of servers with their open connections", async () => {
  for (const server of [createServer(), createHttpServer()]) {
    const listening = await listen(server);
    await using connection = await rawRequest(listening.port, "GET / HTTP/1.1\r\n");
    await listening.close();
    await connection.readUntilClosed();
    await expect(rawRequest(listening.port)).rejects.toThrow("ECONNREFUSED");
  }
});

test("a raw connection says what it was waiting for", async () => {
  await using server = await listen(createServer((socket) => socket.end("one two")));
  await using connection = await rawRequest(server.port);
  expect(await connection.readUntil("two")).toBe("one two");
  await connection.readUntilClosed();
  await expect(connection.readUntil("three")).rejects.toThrow('before "three"');
});

test("the demo upstream remembers its requests", async () => {
  await using upstream = await startDemoUpstream();
  const body = JSON.stringify({ model: "a", input: "hello" });
  const response = await fetch(`${upstream.url}/responses`, { method: "POST", body });
  expect(response.status).toBe(200);
  await response.text();
  expect(upstream.requests.map((request) => request.body.toString())).toEqual([body]);
});
