import { readFile } from "node:fs/promises";
import { type PointsSettings, parseSettings, SettingsError } from "@proj/points-server";
import { parse, YAMLError } from "yaml";

/** A file of settings cannot be used; the message has all that is wrong with it. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** @throws ConfigError */
export async function readSettings(file: string): Promise<PointsSettings> {
  try {
    return parseSettings(parse(await readFile(file, "utf8")));
  } catch (error) {
    const isOfSettings = error instanceof SettingsError || error instanceof YAMLError;
    const isOfFile = error instanceof Error && "code" in error && "path" in error;
    if (!isOfSettings && !isOfFile) throw error;
    const lines = error.message.trimEnd().split("\n");
    throw new ConfigError(
      `${file} cannot be used:\n${lines.map((line) => `  ${line}`).join("\n")}`,
    );
  }
}
