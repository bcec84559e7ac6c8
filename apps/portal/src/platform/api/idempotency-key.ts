/**
 * Keys for a change that may be sent again: the same content keeps its key, so that a lost answer and a
 * second try take effect once; other content gets another. Make one of these for each opened form.
 */
export function createIdempotencyKeys(): (content: unknown) => string {
  let last = { content: '', key: '' };
  return (content) => {
    const written = JSON.stringify(content);
    if (written !== last.content) last = { content: written, key: newKey() };
    return last.key;
  };
}

/** 128 random bits; `crypto.randomUUID` is missing on plain http. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
