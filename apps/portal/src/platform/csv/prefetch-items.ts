/** Each item is requested while the caller processes the previous one. The order stays the same. */
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
    // This isn't awaited, because it would wait for the pending item, which is no longer needed.
    void iterator.return?.()?.catch(() => undefined);
  }
}
