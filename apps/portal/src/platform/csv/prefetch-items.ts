/** The same items in the same order; each one is requested while the caller processes the previous one. */
export async function* prefetchItems<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  const next = () => {
    const item = iterator.next();
    // Avoids an unhandled rejection while it isn't awaited yet; awaiting it still throws.
    item.catch(() => undefined);
    return item;
  };
  try {
    let pending = next();
    for (;;) {
      const { done, value } = await pending;
      if (done === true) return;
      pending = next();
      yield value;
    }
  } finally {
    // Not awaited: it would wait for the pending item, which is no longer needed.
    void iterator.return?.()?.catch(() => undefined);
  }
}
