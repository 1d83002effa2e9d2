import { workerData } from "node:worker_threads";
import { migrate, monotonicMs } from "@proj/database";
import {
  type CallHandlers,
  Checkpointer,
  openWriterConnection,
  SqliteDatabase,
  serveFile,
  WriteTransaction,
  waitForLock,
} from "@proj/database/sqlite";
import { forkSessionSql } from "../queries/forks/fork-session.ts";
import { ignoredText } from "../queries/forks/ignored-members.ts";
import { changeRouteSql } from "../queries/routes/change-route.ts";
import { closeSessionSql, reopenSessionSql } from "../queries/sessions/closes.ts";
import { keepConversationSql } from "../queries/sessions/conversations.ts";
import type { RouteChange, RouteState } from "../route-state.ts";
import type { SessionFork } from "../session-fork.ts";
import { StepWriter } from "./step-writer.ts";
import type { ConversationRow, WriterCalls, WriterData } from "./writer-calls.ts";
import { writerOptions } from "./writer-options.ts";

const data: WriterData = workerData;
const { file, synchronous, busyTimeoutMs, statements, stop } = data;

void serveFile<WriterCalls>(file, async () => {
  const until = monotonicMs() + busyTimeoutMs;
  const connection = openWriterConnection(data, writerOptions(synchronous), until);
  const { database, identity } = connection;
  const schema = new SqliteDatabase({
    ...{ file, stop, busyTimeoutMs, source: null },
    connect: () => connection,
  });
  // A migration may take its time; only the wait for the lock is limited.
  const storage_id = await schema.transaction((runner) =>
    migrate(schema, runner, statements.migrations),
  );
  // Writes on every request use prepared statements, without a promise.
  const transaction = new WriteTransaction(connection, busyTimeoutMs, stop);
  const steps = waitForLock(() => new StepWriter(database, data), until, stop);
  const touch = database.prepare("update storage_info set schema_version = schema_version");
  const changeRoute = database.prepare<[Required<RouteChange>], RouteState>(
    changeRouteSql("@model", "@pause", "@weight_version"),
  );
  const forkSession = database.prepare<[SessionFork & { readonly ignored: string | null }]>(
    forkSessionSql("@session_id", "@from_session_id", "@model", "@step", "@mode", "@ignored"),
  );
  const keepConversation = database.prepare<[ConversationRow]>(
    keepConversationSql("@session_id", "@conversation_id", "@model", "@replica", "@created_at"),
  );
  const closeSession = database.prepare(closeSessionSql("@session_id", "@closed_at"));
  const reopenSession = database.prepare<[string]>(reopenSessionSql("?"));
  const checkpointer = new Checkpointer(database, data.checkpoints);
  const write = <T>(deadline: number, work: () => T, rows = 1, bytes = 0): T => {
    const result = transaction.run(deadline, work);
    checkpointer.committed(rows, bytes);
    return result;
  };
  const handlers: CallHandlers<WriterCalls> = {
    write(batch, deadline) {
      const { byteLength } = batch.payloads;
      try {
        return write(deadline, () => steps.write(batch), batch.steps.length, byteLength);
      } finally {
        // At once: V8 would run full collections to find this memory, which is outside its heap.
        batch.payloads.transfer(0);
      }
    },
    amend(amendments, deadline) {
      const amend = (): void => {
        for (const amendment of amendments) steps.amend(amendment);
      };
      write(deadline, amend, amendments.length);
      return null;
    },
    changeRoute({ model, pause, weight_version = null }, deadline) {
      const state = write(deadline, () => changeRoute.get({ model, pause, weight_version }));
      if (state === undefined) throw new Error("A statement that inserts or updates has its row.");
      return state;
    },
    forkSession(fork, deadline) {
      const row = { ...fork, ignored: ignoredText(fork.ignore) };
      write(deadline, () => forkSession.run(row));
      return null;
    },
    keepConversation(conversation, deadline) {
      write(deadline, () => keepConversation.run(conversation));
      return null;
    },
    closeSession(closed, deadline) {
      write(deadline, () => closeSession.run(closed));
      return null;
    },
    reopenSession(session_id, deadline) {
      write(deadline, () => reopenSession.run(session_id));
      return null;
    },
    // Writes, because a lock alone would not reveal a full disk or a read-only file.
    ping(_, deadline) {
      write(deadline, () => touch.run());
      return null;
    },
  };

  return {
    ready: identity.known(storage_id),
    answer: (name, request, deadline) => handlers[name](request, deadline),
    close() {
      checkpointer.close(identity);
      database.close();
    },
  };
});
