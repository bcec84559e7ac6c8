import { connection } from '#platform/api/connection.ts';

const NAME = 'MissingCode';

/**
 * Marks the errors of failed imports. The router reloads the page for messages that it knows, which helps after a new release
 * has replaced the code. Without a connection, a reload would leave an empty page.
 */
export function markMissingCode(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    payload.name = NAME;
    if (connection() !== 'online') payload.message = NAME;
  });
}

export function isMissingCode(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === NAME;
}
