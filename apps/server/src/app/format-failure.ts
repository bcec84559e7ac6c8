type Failure = NodeJS.ErrnoException & { port?: number; address?: string; errors?: unknown[] };

const DATABASE_ERRORS: Record<string, (failure: Failure) => string> = {
  ECONNREFUSED: ({ address, port }) => `No response from the database at ${address}:${port}: check DATABASE_URL.`,
  ENOTFOUND: ({ message }) => `Can't resolve the DATABASE_URL host: ${message}`,
  '28P01': ({ message }) => `The database rejected the credentials in DATABASE_URL: ${message}`,
  '3D000': ({ message }) => `The database in DATABASE_URL doesn't exist: ${message}`,
};

/** PgBouncer's message for a client with settings for its session. */
const IS_POOLER = /unsupported startup parameter/;

export function formatFailure(error: unknown): string {
  const { code, port, message } = error as Failure;
  if (code === 'EADDRINUSE') return `Port ${port} is in use: stop the other process, or set PORT.`;
  if (code === 'EACCES' && port !== undefined) return `Port ${port} requires more privileges: set PORT to another one.`;
  const root = getRootCause(error);
  if (IS_POOLER.test((root as Failure).message))
    return 'DATABASE_URL is the address of a pooler: set DATABASE_DIRECT_URL.';
  const text = DATABASE_ERRORS[(root as Failure).code ?? '']?.(root as Failure);
  return text ?? (error instanceof Error && message !== '' ? message : String(error));
}

/** The original error; if several addresses were tried, the error for the first one. */
function getRootCause(error: unknown): unknown {
  const { cause, errors } = error as Failure;
  const below = cause ?? errors?.[0];
  return below === undefined ? error : getRootCause(below);
}
