import { flag, type Option } from "@proj/program";

/** What `run`, `fork` and `check` ask of a route's tokens. */
export const tokenOptions: { readonly "require-tokens": Option<boolean> } = {
  "require-tokens": flag(
    "refuse to start unless the route has an engine whose tokens can be trained on; without it, what is missing is a warning",
  ),
};
