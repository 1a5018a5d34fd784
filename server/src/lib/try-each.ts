/** Does it for each in turn, also after one has failed; rejects at the end with everything that failed. */
export async function tryEach<T>(items: Iterable<T>, action: (item: T) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) {
    try {
      await action(item);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} things failed`);
}
