import { type JsonSchema, positiveSeconds, section } from "@proj/program/configuration";

export const timeoutsSchema: JsonSchema = section("Seconds that each wait may take.", {
  connect_s: positiveSeconds("To connect to an upstream.", 10),
  first_byte_s: positiveSeconds(
    "From the request to the first byte of the upstream's answer.",
    600,
  ),
  idle_s: positiveSeconds("Between two chunks of an upstream's answer.", 300),
  total_s: positiveSeconds("For an upstream request as a whole.", 3600),
  caller_headers_s: positiveSeconds("For the headers of a caller's request.", 30),
  caller_body_idle_s: positiveSeconds("Between two chunks of a caller's body.", 30),
  caller_body_total_s: positiveSeconds("For a caller's body as a whole.", 600),
  caller_stall_s: positiveSeconds("For a write that the caller does not read.", 120),
  caller_keep_alive_s: positiveSeconds("For an idle connection of a caller.", 75),
});
