import type { Option } from "@proj/program";

/** Options that together give `T`. */
export type OptionsOf<T> = { readonly [Name in keyof T]: Option<T[Name]> };
