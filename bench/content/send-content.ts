import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ContentResponse } from '@steward/contract/content';
import { createServiceToken } from '@steward/server/src/operator/access/create-token.actions.ts';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import type { MessageInsert } from '@steward/server/src/workspace/content/messages.store.ts';
import { removeServiceToken } from '@steward/server/src/workspace/tokens/tokens.store.ts';
import type { BenchDatabase, Team } from '../setup/database.ts';
import type { Server } from '../setup/processes.ts';

/** Prefix of the external ids that the bench sends; nothing else has one. */
export const SENT_IDS = 'bench-';
const SENT = `team_id = $1 and external_id >= '${SENT_IDS}' and external_id < 'bench.'`;
const PIECE_BYTES = 64 * 1024;

/** The messages as lines, in chunks of the size in which a file is read. */
export function toLines(messages: readonly MessageInsert[]): Buffer[] {
  const pieces: Buffer[] = [];
  let piece = '';
  for (const message of messages) {
    piece += `${formatLine(message)}\n`;
    if (piece.length < PIECE_BYTES) continue;
    pieces.push(Buffer.from(piece));
    piece = '';
  }
  return [...pieces, Buffer.from(piece)];
}

function formatLine({ id, channel_id, user_id, text: said, create_at, delete_at }: MessageInsert): string {
  return JSON.stringify({
    kind: 'message',
    external_id: SENT_IDS + id,
    created_at: create_at,
    channel_id,
    user_id,
    text: said,
    ...(delete_at === 0 ? {} : { marked_deleted_at: delete_at }),
  });
}

/** Creates a service token for some work, and removes it afterwards. */
export async function withToken<T>(
  database: BenchDatabase,
  team: Team,
  work: (token: string) => Promise<T>,
): Promise<T> {
  const { id, token } = await createServiceToken(database.db, { teamId: team.id, name: 'bench', speakForUsers: true });
  try {
    return await work(token);
  } finally {
    await inTransaction(database.db, (trx) => removeServiceToken(trx, team.id, id));
  }
}

/** Sends a body with backpressure. */
export async function sendContent(
  { port }: Server,
  team: Team,
  { token, pieces }: { token: string; pieces: readonly Buffer[] },
): Promise<ContentResponse> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
  const call = request({ port, host: '127.0.0.1', path: `/api/v4/teams/${team.id}/content`, method: 'POST', headers });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  // Thrown where the response is awaited.
  answered.catch(() => undefined);
  for (const piece of pieces) if (!call.write(piece)) await Promise.race([once(call, 'drain'), answered]);
  call.end();
  const [response] = await answered;
  const said = await text(response);
  if (response.statusCode !== 200) throw new Error(`The content was answered ${response.statusCode}: ${said}`);
  return JSON.parse(said) as ContentResponse;
}

/** Query for all that was sent, in the order in which it was stored. */
export function sentRows(team: Team): string {
  return `select * from messages where ${SENT.replace('$1', `'${team.id}'`)} order by id`;
}

/** Deletes what was sent, so that each round has the same table. */
export async function removeSent({ pool }: BenchDatabase, team: Team): Promise<void> {
  await pool.query(`delete from messages where ${SENT}`, [team.id]);
  await pool.query('vacuum (analyze) messages');
}
