/**
 * A reader of table changes was so far behind that its queue was full. It got every change until
 * then; the table's rows are right all the same. Read them, and start reading changes again.
 */
export class SlowConsumerError extends Error {
  override readonly name = "SlowConsumerError";

  constructor(model: string, maxQueued: number) {
    super(
      `A reader of ${model} is ${maxQueued} changes behind and gets no more: ` +
        "read the table's rows and start over, or read faster",
    );
  }
}
