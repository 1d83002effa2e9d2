// Vitest runs this before each test file: threads that code under test starts come from their bundles.
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { testBundles } from "./test-bundles.ts";

registerHooks({
  resolve(specifier, context, next) {
    const bundle = specifier.startsWith("@") ? testBundles.get(specifier) : undefined;
    if (bundle === undefined) return next(specifier, context);
    return { url: pathToFileURL(bundle).href, format: "module", shortCircuit: true };
  },
});
