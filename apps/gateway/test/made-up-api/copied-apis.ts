import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const modelApis: string = fileURLToPath(
  new URL("../../../../packages/gateway/model-apis", import.meta.url),
);

/**
 * A copy of model-apis with one API more: a folder of its own, made from that of chat completions, and its entries in
 * the two lists.
 */
export async function addMadeUpApi(copy: string): Promise<void> {
  for (const name of ["src", "package.json"])
    await cp(join(modelApis, name), join(copy, name), { recursive: true });
  const folder = join(copy, "src/made-up");
  await cp(join(copy, "src/chat-completions"), folder, { recursive: true });
  for (const name of await readdir(folder))
    await edit(join(folder, name), (text) =>
      text.replaceAll("chat_completions", "made_up").replaceAll("chatCompletions", "madeUp"),
    );
  await edit(join(copy, "src/names.ts"), (text) =>
    text
      .replace('  | "chat_completions"\n', '$&  | "made_up"\n')
      .replace('  chat_completions: "/chat/completions",', '$&\n  made_up: "/made/up",')
      .replace('  chat_completions: "authorization",', '$&\n  made_up: "authorization",')
      .replace('  chat_completions: "chat_completions",', '$&\n  made_up: "made_up",'),
  );
  await edit(join(copy, "src/endpoints.ts"), (text) =>
    text
      .replace(/^/, 'import { madeUp } from "./made-up/chat-completions.ts";\n')
      .replace("  chat_completions: chatCompletions,", "$&\n  made_up: madeUp,"),
  );
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, "utf8")));
}
