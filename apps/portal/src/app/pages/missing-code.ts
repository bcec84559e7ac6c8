import { connection } from '#platform/api/connection.ts';

const NAME = 'MissingCode';

/**
 * Marks what is thrown when code cannot be fetched. The router loads the whole page again for messages that it knows,
 * which helps where a newer release has taken the code's place; without a connection it would leave nothing at all.
 */
export function markMissingCode(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    payload.name = NAME;
    if (connection() !== 'online') payload.message = NAME;
  });
}

/** Whether a screen is not there because its code could not be fetched. */
export function isMissingCode(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === NAME;
}
