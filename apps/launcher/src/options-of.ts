import type { Given, Options } from "@proj/program";

/** What a command line gives to some options. */
export type ValuesOf<O extends Options> = Given<O, null>["options"];
