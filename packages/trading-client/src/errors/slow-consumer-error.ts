/**
 * A reader of table changes was so far behind that its queue was full. It got every change until
 * then; the table's rows are right all the same. Read them, and begin to read changes anew.
 */
export class SlowConsumerError extends Error {
  override readonly name = "SlowConsumerError";

  constructor(model: string, maxQueued: number) {
    super(
      `A reader of ${model} is ${maxQueued} changes behind and gets no more: ` +
        "read the table's rows and begin anew, or read faster",
    );
  }
}
