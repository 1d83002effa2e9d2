import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runServer } from "verdaccio";
import { scope } from "./packages.mjs";
import { run, withNode } from "./run.mjs";

/** A registry on loopback for the packages' scope only. All other packages come from npm's configured registry. */
export async function startRegistry(folder) {
  const config = join(folder, "verdaccio.yaml");
  await writeFile(
    config,
    JSON.stringify({
      storage: join(folder, "storage"),
      log: { type: "file", path: join(folder, "verdaccio.log"), level: "warn" },
      web: { enable: false },
      max_body_size: "20mb",
      packages: { [`${scope}/*`]: { access: "$all", publish: "$all" } },
      auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: -1 } },
    }),
  );
  const server = await runServer(config);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${server.address().port}`;
  // npm publishes only with a token; this registry accepts any.
  const npmrc = `${scope}:registry=http://${host}/\n//${host}/:_authToken=anybody\nengine-strict=true\naudit=false\nfund=false\nupdate-notifier=false\n`;
  await writeFile(join(folder, ".npmrc"), npmrc);
  return {
    npmrc,
    async publish({ tarball }) {
      const args = ["publish", tarball, "--access", "public"];
      await run("npm", args, { cwd: folder, env: withNode(dirname(process.execPath)) });
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
