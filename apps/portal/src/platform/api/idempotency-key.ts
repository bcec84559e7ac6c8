/**
 * The same content keeps its key, so that a change takes effect once if it is repeated after a lost response. Other content gets
 * another key. Each opened form needs its own instance.
 */
export function createIdempotencyKeys(): (content: unknown) => string {
  let last = { content: '', key: '' };
  return (content) => {
    const written = JSON.stringify(content);
    if (written !== last.content) last = { content: written, key: newKey() };
    return last.key;
  };
}

/** Returns 128 random bits. `crypto.randomUUID` is missing on plain HTTP. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
