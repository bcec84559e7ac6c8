import { once } from 'node:events';
import pg from 'pg';

interface Wire {
  query(text: string): void;
}

/** Runs `COPY … TO STDOUT` and answers the bytes that came; nothing is kept. */
export async function copyOut(url: string, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let bytes = 0;
    const reading = new EventTarget();
    const over = once(reading, 'over');
    let failure: Error | undefined;
    // The calls that pg makes on whatever it is given to send.
    client.query({
      submit: (wire: Wire) => wire.query(statement),
      handleCopyData: ({ chunk }: { chunk: Buffer }) => {
        bytes += chunk.length;
      },
      handleError: (error: Error) => {
        failure = error;
        reading.dispatchEvent(new Event('over'));
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => reading.dispatchEvent(new Event('over')),
    } as unknown as pg.Submittable);
    await over;
    if (failure) throw failure;
    return bytes;
  } finally {
    await client.end();
  }
}
