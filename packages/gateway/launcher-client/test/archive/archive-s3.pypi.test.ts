import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  freePort,
  isLeftOutWithoutPython,
  pythonWith,
  temporaryFolder,
  waitFor,
} from "@proj/test-kit";
import { describe, expect, test, vi } from "vitest";
import { archiveJob, openArchive } from "../../src/index.ts";
import { sharedDatabase } from "../trajectories/stored-job.ts";
import { allRows, variedJob } from "./archived-job.ts";

// moto is a server of S3 with conditional writes and the checksums of today's clients.
const python = await pythonWith(["moto[server]==5.2.1"], { timeoutMs: 300_000 });
const database = sharedDatabase();

const server = `
import os, sys, time
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=int(sys.argv[1]))
server.start()
while not os.path.exists(sys.argv[2]): time.sleep(0.02)
server.stop()`;

describe.skipIf(isLeftOutWithoutPython("archives on S3", python))("an archive on S3", () => {
  test("has the rows of the database, once, and says what is wrong with it", async () => {
    await using folder = await temporaryFolder();
    const stop = join(folder.path, "stop");
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const ended = python?.run(server, String(port), stop);
    vi.stubEnv("AWS_ENDPOINT_URL_S3", url);
    vi.stubEnv("AWS_ACCESS_KEY_ID", "id");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
    vi.stubEnv("AWS_REGION", "us-east-1");
    try {
      await waitFor(
        () =>
          fetch(url)
            .then(() => true)
            .catch(() => false),
        "the server",
        60_000,
      );
      const job = database.newJob();
      const { store, job_id } = job;
      await variedJob(job);
      const to = "s3://bucket/runs/2026";
      await expect(archiveJob(store, { job_id, address: to })).rejects.toThrow(
        "bucket does not exist",
      );
      await fetch(`${url}/bucket`, { method: "PUT" });
      expect(await archiveJob(store, { job_id, address: to })).toMatchObject({ archived: 3 });
      expect(await archiveJob(store, { job_id, address: to })).toMatchObject({ archived: 0 });
      const archive = await openArchive(`${to}/`);
      expect(await allRows(archive, job_id)).toEqual(await allRows(store, job_id));
      await archive.close();
      await expect(openArchive("s3://bucket/other")).rejects.toThrow("no archive found in");
    } finally {
      await writeFile(stop, "");
      await ended;
      vi.unstubAllEnvs();
    }
  }, 300_000);
});
