import { isId } from '@steward/contract/api/fields';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { escapeHtml } from '#platform/mail/mail.ts';
import type { Access } from '#workspace/access/access.ts';
import { listOpenTeams, type SignedIn } from '#workspace/access/enter-team.ts';
import { findPicture } from '#workspace/people/pictures.store.ts';

/** Serves a person's picture, or initials on a color of their own, to people who share a team with them. */
export function servePicture(app: FastifyInstance, deps: Deps, access: Access): void {
  app.get('/api/v4/users/:userId/image', {
    config: { endpoint: 'getPicture' },
    onRequest: async (request) => {
      request.who = await access.signedIn(request);
    },
    handler: async (request, reply) => {
      const { userId } = request.params as { userId: string };
      if (!isId(userId)) refuse('record.not_found');
      const who = request.who as SignedIn;
      const teamIds = await listOpenTeams(deps.db, who);
      const person = await findPicture(deps.db, { callerId: who.personId, teamIds }, userId);
      if (!person) refuse('record.not_found');
      // Clients put last_picture_update into the URL, so the picture at a URL never changes.
      reply.header('cache-control', 'private, max-age=86400');
      if (person.content) return reply.type('image/webp').send(person.content);
      return reply.type('image/svg+xml; charset=utf-8').send(renderInitials(person));
    },
  });
}

function renderInitials(person: { id: string; first_name: string; last_name: string; email: string }): string {
  const first = [...person.first_name][0] ?? [...person.email][0] ?? '?';
  const last = [...person.last_name][0] ?? '';
  const hue = [...person.id].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 360, 7);
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">' +
    `<rect width="64" height="64" fill="hsl(${hue} 42% 33%)"/>` +
    '<text x="32" y="33" fill="#fff" font-family="Inter,system-ui,sans-serif" font-size="25" font-weight="600" ' +
    `text-anchor="middle" dominant-baseline="central">${escapeHtml((first + last).toUpperCase())}</text></svg>`
  );
}
