import type * as endpoints from '@steward/contract/account';
import type { Answer } from '@steward/contract/api/endpoint';
import { PICTURE_MAX } from '@steward/contract/api/limits';
import type { FastifyRequest } from 'fastify';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { bodyStream } from '#platform/http/connections/body-stream.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Call } from '#platform/http/http.ts';
import { toSquareImage } from '#platform/images/square-image.ts';
import { inAuthorizedTransaction } from '#workspace/access/authorized-transaction.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import { listTeamSecurity } from '#workspace/access/team-security.store.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import * as pictures from '#workspace/users/pictures.store.ts';
import { toUser } from '#workspace/users/user.ts';
import { findUser } from '#workspace/users/users.store.ts';

/** Width and height of a stored picture, in pixels. */
const SIZE = 256;

/** The picture is decoded before the transaction, which it would keep open. It counts for the user's first team. */
export async function savePicture(
  deps: Deps,
  { who, authorize, request, origin }: Call<typeof endpoints.savePicture, SignedIn>,
): Promise<Answer<typeof endpoints.savePicture>> {
  const { userId } = who;
  const [team] = (await listTeamSecurity(deps.db, userId)).map(({ team_id }) => team_id).sort();
  const share = { key: team ?? userId, user: userId };
  const content = await toSquareImage(await readBody(request), SIZE, share);
  return inAuthorizedTransaction({ db: deps.db, authorize }, async (trx) => {
    await pictures.savePicture(trx, userId, content);
    const event = { action: 'session.picture_saved', teamId: '', actorId: userId, target: userId } as const;
    await addAuditEvent(trx, deps, { ...event, origin });
    return getUser(trx, userId);
  });
}

async function readBody(request: FastifyRequest): Promise<Buffer> {
  // A body whose stated length is too large isn't read.
  if (Number(request.headers['content-length'] ?? 0) > PICTURE_MAX) refuse('request.too_large');
  // A request without a body has no stream.
  if (request.body === undefined || request.body === null) refuse('picture.unreadable');
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of bodyStream(request, request.server.server.requestTimeout)) {
    size += piece.length;
    if (size > PICTURE_MAX) refuse('request.too_large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

export async function removePicture(trx: Trx, who: SignedIn): Promise<Changed<typeof endpoints.removePicture>> {
  const { userId } = who;
  const removed = await pictures.removePicture(trx, userId);
  const event = { action: 'session.picture_removed', teamId: '', actorId: userId, target: userId } as const;
  return { answer: await getUser(trx, userId), audit: removed ? event : null };
}

async function getUser(trx: Trx, userId: string): Promise<Answer<typeof endpoints.savePicture>> {
  return toUser((await findUser(trx, userId)) ?? refuse('session.required'));
}
