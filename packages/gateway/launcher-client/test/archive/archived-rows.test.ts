import { openCopy } from "@proj/session-store";
import { expect, test } from "vitest";
import { addArchivedRow } from "../../src/archive/archived-rows.ts";
import { ArchiveError } from "../../src/index.ts";

test("a row of another form than the database's is a clear error", async () => {
  const score = { session_id: "s", name: "reward", author: "evaluator", repetition: 1 };
  const rest = { label: null, comment: null, judged_in: null, created_at: "2026-01-01" };
  const opened = await openCopy(async (copy) => {
    addArchivedRow(copy, "scores", { ...score, value: 0.5, ...rest });
    expect(() => addArchivedRow(copy, "scores", { ...score, value: "high", ...rest })).toThrow(
      new ArchiveError(
        "a row of scores is of another form: value: Invalid input: expected number, received string",
      ),
    );
    expect(() => addArchivedRow(copy, "steps", { session_id: "s" })).toThrow(ArchiveError);
  });
  await opened.close();
});
