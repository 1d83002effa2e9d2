import assert from "node:assert/strict";
import { ConfigError, gatewayPaths, parseConfig, sessionKey } from "@proj/gateway-protocol";

const text = "llm_routes:\n  small:\n    base_url: http://127.0.0.1:9000/v1\n";
const config = parseConfig(text, "gateway.yaml", {});
assert.equal(config.llm_routes.small?.max_concurrency, 256);

const paths = gatewayPaths(config.base_session_path);
assert.equal(paths.close("run-1", { wait: 30 }), "/v1/sessions/run-1/close?wait=30");
assert.match(sessionKey("a secret", "run-1"), /^sess_/);

assert.throws(() => parseConfig(`${text}listen_prot: 80\n`, "gateway.yaml", {}), ConfigError);
