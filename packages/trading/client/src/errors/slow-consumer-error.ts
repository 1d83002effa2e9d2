/**
 * A reader of table changes fell so far behind that its queue was full. It got every change until then,
 * and the table's rows are still correct. Read them, then start reading changes again.
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
