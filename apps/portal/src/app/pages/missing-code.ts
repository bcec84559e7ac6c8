import { connection } from '#platform/api/connection.ts';

const NAME = 'MissingCode';

/**
 * Marks the errors of failed imports. The router reloads the whole page for messages that it knows, which helps after a
 * newer release has replaced the code; without a connection a reload would leave an empty page.
 */
export function markMissingCode(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    payload.name = NAME;
    if (connection() !== 'online') payload.message = NAME;
  });
}

/** Whether a screen is missing because its code couldn't be loaded. */
export function isMissingCode(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === NAME;
}
