/** The same items in the same order, the next one already under way while the caller works on the last. */
export async function* prefetchItems<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  const next = () => {
    const coming = iterator.next();
    // Nobody listens yet, and perhaps never will; the failure is still there for whoever awaits it.
    coming.catch(() => undefined);
    return coming;
  };
  try {
    let coming = next();
    for (;;) {
      const { done, value } = await coming;
      if (done === true) return;
      coming = next();
      yield value;
    }
  } finally {
    // Not awaited: it would wait for the item under way, which nobody wants any more.
    void iterator.return?.()?.catch(() => undefined);
  }
}
