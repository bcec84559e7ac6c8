import { once } from 'node:events';
import pg from 'pg';

/** What pg hands to whatever it is given to send. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Runs `COPY … TO STDOUT`; without `take` what comes is let go. */
export function copyOut(url: string, statement: string, take?: (chunk: Buffer) => void): Promise<void> {
  return copy(url, statement, { handleCopyData: ({ chunk }: { chunk: Buffer }) => take?.(chunk) });
}

/** Runs `COPY … FROM STDIN` with these bytes. */
export function copyIn(url: string, statement: string, chunks: readonly Buffer[]): Promise<void> {
  return copy(url, statement, {
    handleCopyInResponse: (wire: Wire) => {
      for (const chunk of chunks) wire.sendCopyFromChunk(chunk);
      wire.endCopyFrom();
    },
  });
}

async function copy(url: string, statement: string, handlers: object): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const running = new EventTarget();
    const over = once(running, 'over');
    let failure: Error | undefined;
    // The calls that pg makes on whatever it is given to send.
    client.query({
      submit: (wire: Wire) => wire.query(statement),
      handleError: (error: Error) => {
        failure = error;
        running.dispatchEvent(new Event('over'));
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => running.dispatchEvent(new Event('over')),
      ...handlers,
    } as unknown as pg.Submittable);
    await over;
    if (failure) throw failure;
  } finally {
    await client.end();
  }
}
