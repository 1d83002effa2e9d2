import { workerData } from "node:worker_threads";
import { Checkpointer } from "./checkpointer.ts";
import { openWriterConnection } from "./connection.ts";
import { waitForLock } from "./lock-wait.ts";
import { migrate } from "./migrate.ts";
import { serveCalls } from "./serve-calls.ts";
import { StepWriter } from "./step-writer.ts";
import { WriteTransaction } from "./write-transaction.ts";
import type { WriterCalls, WriterData } from "./writer-calls.ts";

const { file, synchronous, busyTimeoutMs, statements, stop }: WriterData = workerData;

serveCalls<WriterCalls>(file, () => {
  const until = Date.now() + busyTimeoutMs;
  const database = openWriterConnection(file, synchronous, until, stop);
  const transaction = new WriteTransaction(database, busyTimeoutMs, stop);
  // A migration takes what time it takes; only the wait for the lock is limited.
  const storage_id = transaction.run(Infinity, () => migrate(database, statements));
  const steps = waitForLock(() => new StepWriter(database, statements), until, stop);
  const touch = database.prepare("update storage_info set schema_version = schema_version");
  const checkpointer = new Checkpointer(database);

  return {
    ready: storage_id,
    handlers: {
      write(batch, deadline) {
        const written = transaction.run(deadline, () => steps.write(batch));
        checkpointer.committed(batch.steps.length, batch.payloads.byteLength);
        return written;
      },
      amend(amendments, deadline) {
        transaction.run(deadline, () => {
          for (const amendment of amendments) steps.amend(amendment);
        });
        checkpointer.committed(amendments.length, 0);
        return null;
      },
      // A lock alone would not show that the disk is full or the file read-only.
      ping(_, deadline) {
        transaction.run(deadline, () => touch.run());
        checkpointer.committed(1, 0);
        return null;
      },
    },
    close() {
      checkpointer.close();
      database.close();
    },
  };
});
