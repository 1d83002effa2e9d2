import { installClients } from "./install-clients.ts";

/** Installs what the tests of Python's clients need. */
const installed = [await installClients("python"), await installClients("python-litellm")];
if (installed.includes(null)) process.exitCode = 1;
