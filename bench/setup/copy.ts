import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';

/** Runs `COPY … TO STDOUT`; without `take` the bytes are dropped. */
export async function copyOut(url: string, statement: string, take?: (chunk: Buffer) => void): Promise<void> {
  await withClient(url, async (client) => {
    for await (const chunk of client.query(to(statement))) take?.(chunk as Buffer);
  });
}

/** The rows of a query as COPY writes them. */
export async function copyRows(url: string, query: string): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  // The bytes are only there until the next ones come.
  await copyOut(url, `copy (${query}) to stdout`, (chunk) => chunks.push(Buffer.from(chunk)));
  return chunks;
}

/** Runs `COPY … FROM STDIN` with these bytes. */
export async function copyIn(url: string, statement: string, chunks: readonly Buffer[]): Promise<void> {
  await withClient(url, (client) => pipeline(Readable.from(chunks), client.query(from(statement))));
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
