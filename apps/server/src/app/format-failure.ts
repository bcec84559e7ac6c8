type Failure = NodeJS.ErrnoException & { port?: number; address?: string; errors?: unknown[] };

const OF_THE_DATABASE: Record<string, (failure: Failure) => string> = {
  ECONNREFUSED: ({ address, port }) => `The database at ${address}:${port} does not answer: check DATABASE_URL.`,
  ENOTFOUND: ({ message }) => `The host of DATABASE_URL is not known: ${message}`,
  '28P01': ({ message }) => `The database refuses the sign-in of DATABASE_URL: ${message}`,
  '3D000': ({ message }) => `DATABASE_URL names a database that is not there: ${message}`,
};

/** Says in one line what kept a program from working, for whoever sits at the terminal. */
export function formatFailure(error: unknown): string {
  const { code, port, message } = error as Failure;
  if (code === 'EADDRINUSE') return `Port ${port} is in use: stop what listens there, or set PORT to another.`;
  if (code === 'EACCES' && port !== undefined) return `Port ${port} may not be used by this user: set PORT to another.`;
  const root = getRootCause(error);
  const said = OF_THE_DATABASE[(root as Failure).code ?? '']?.(root as Failure);
  return said ?? (error instanceof Error && message !== '' ? message : String(error));
}

/** What failed first; of several addresses that were tried, the first one. */
function getRootCause(error: unknown): unknown {
  const { cause, errors } = error as Failure;
  const below = cause ?? errors?.[0];
  return below === undefined ? error : getRootCause(below);
}
