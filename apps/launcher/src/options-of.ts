import type { Option } from "@proj/program";

/** Options that together produce `T`. */
export type OptionsOf<T> = { readonly [Name in keyof T]: Option<T[Name]> };
