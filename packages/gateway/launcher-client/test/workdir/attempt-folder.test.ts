import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isLeftOut, temporaryFolder } from "@proj/test-kit";
import { describe, expect, onTestFinished, test } from "vitest";
import { findUser, keptFolders, temporaryFolders } from "../../src/index.ts";

const isRoot = process.getuid?.() === 0;
const hasPython = spawnSync("python3", ["-c", "import ctypes"]).status === 0;
const leftOut = isLeftOut(
  "agents that exchange folders",
  hasPython && isRoot,
  "be root, with python3",
);

async function kept(): Promise<string> {
  const parent = await temporaryFolder();
  onTestFinished(() => parent.remove());
  return parent.path;
}

/** A folder of root's that an agent would like to see changed. */
async function prize(): Promise<{ readonly path: string; state(): Promise<unknown> }> {
  const path = await kept();
  await chmod(path, 0o755);
  const names = Array.from({ length: 100 }, (_, index) => join(path, `file-${index}`));
  for (const name of names) await writeFile(name, "of the operator", { mode: 0o600 });
  return {
    path,
    state: async () => {
      const { mode, uid } = await stat(path);
      const owners = await Promise.all(names.map((name) => stat(name).then((file) => file.uid)));
      return {
        mode: mode & 0o777,
        uid,
        files: (await readdir(path)).length,
        owners: new Set(owners),
      };
    },
  };
}

const untouched = { mode: 0o755, uid: 0, files: 100, owners: new Set([0]) };

/** A process of the agent's user that goes on for as long as the test. */
async function attack(lines: string, ...args: readonly string[]): Promise<void> {
  const program = `
import ctypes, os, sys
libc = ctypes.CDLL(None)
def exchange(one, other): libc.renameat2(-100, one.encode(), -100, other.encode(), 2)
print("begun", flush=True)
while True:
${lines.replace(/^/gm, "    ")}`;
  const { uid, gid } = await findUser("nobody");
  const child = spawn("python3", ["-c", program, ...args], { uid, gid, cwd: "/" });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  await once(child.stdout, "data");
}

describe.skipIf(leftOut)("while a process of the agent's user exchanges folders and links", () => {
  test("removing its folder touches nothing else", async () => {
    const { path: target, state } = await prize();
    const parent = await kept();
    const user = await findUser("nobody");
    for (let round = 0; round < 3; round += 1) {
      const folder = keptFolders(parent).of(`session-${round}`);
      const { work } = await folder.open();
      const names = Array.from({ length: 20 }, (_, index) => join(work, `folder-${index}`));
      for (const name of names) {
        await mkdir(join(name, "deep"), { recursive: true });
        for (let file = 0; file < 20; file += 1) await writeFile(join(name, `file-${file}`), "");
        await symlink(target, `${name}-link`);
      }
      await folder.give(user);
      await attack('for name in sys.argv[1:]: exchange(name, name + "-link")', ...names);
      await folder.remove().catch(() => {});
      expect(await state()).toEqual(untouched);
    }
  });

  test("the next attempt's folder is given to it, and nothing else", async () => {
    const { path: target, state } = await prize();
    const parent = await kept();
    const user = await findUser("nobody");
    const swapping = `for root in sys.argv[3:]:
    try:
        os.symlink(sys.argv[2], root + "/link")
        exchange(root + "/tmp", root + "/link")
        os.rename(root + "/home", root + "/moved")
    except OSError: pass`;
    const names = Array.from({ length: 30 }, (_, index) => `session-${index}`);
    const roots = names.map((name) => join(parent, name));
    await attack(swapping, parent, target, ...roots);
    for (const name of names) {
      const folder = keptFolders(parent).of(name);
      const { root, home } = await folder.open();
      for (let file = 0; file < 20; file += 1) await writeFile(join(home, `file-${file}`), "");
      await folder.give(user);
      expect((await readdir(root)).toSorted()).toEqual(["home", "tmp", "work"]);
      expect((await stat(home)).uid).toBe(user.uid);
      expect((await stat(root)).uid).toBe(0);
    }
    expect(await state()).toEqual(untouched);
  });

  test("a folder inside one of that user's is not given away", async () => {
    const user = await findUser("nobody");
    const parent = await kept();
    await chmod(parent, 0o755);
    const outer = join(parent, "outer");
    await mkdir(outer);
    spawnSync("chown", [user.name, outer]);
    const folder = keptFolders(join(outer, "kept")).of("session-1");
    await expect(folder.give(user)).rejects.toThrow(
      `must not be in a folder that other users may write to: ${outer}`,
    );
    await folder.remove();
  });
});

test("a folder that is there already is not taken for a new attempt's", async () => {
  const parent = await kept();
  const elsewhere = await kept();
  await symlink(elsewhere, join(parent, "session-1"));
  await expect(keptFolders(parent).of("session-1").open()).rejects.toThrow("EEXIST");
  expect(await readdir(elsewhere)).toEqual([]);
});

test("a link in the place of a kept folder is not found", async () => {
  const parent = await kept();
  const folders = keptFolders(parent);
  const { root, work } = await folders.of("session-1").open();
  await rename(work, join(root, "moved"));
  await symlink(join(root, "moved"), work);
  expect(await folders.find("session-1")).toBeNull();
});

test("what an agent left locked, linked and deep is removed, and its links' targets stay", async () => {
  const elsewhere = await kept();
  await writeFile(join(elsewhere, "file"), "");
  const folders = temporaryFolders();
  const folder = folders.of("session-1");
  const { root, work } = await folder.open();
  await mkdir(join(work, ...Array.from({ length: 200 }, () => "deep")), { recursive: true });
  await mkdir(join(work, "locked", "inner"), { recursive: true });
  await writeFile(join(work, "locked", "inner", "-delete"), "");
  await symlink(elsewhere, join(work, "link"));
  await chmod(join(work, "locked", "inner"), 0o000);
  await chmod(join(work, "locked"), 0o500);
  await folders.leave(folder);
  await folders.close();
  await expect(stat(join(root, ".."))).rejects.toThrow("ENOENT");
  expect(await readdir(elsewhere)).toEqual(["file"]);
});
