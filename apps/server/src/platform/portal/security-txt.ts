import type { FastifyInstance } from 'fastify';
import type { Env } from '#platform/env.ts';
import { refuse } from '#platform/http/errors.ts';

const PATH = '/.well-known/security.txt';
/** Validity of the text; RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;
const DAY_MS = 86_400_000;

/** RFC 9116. Without SECURITY_CONTACT there is no such page. */
export function serveSecurityTxt(
  app: FastifyInstance,
  { SECURITY_CONTACT: contact, publicUrl }: Pick<Env, 'SECURITY_CONTACT' | 'publicUrl'>,
): void {
  app.get(PATH, async (_request, reply) => {
    if (contact === undefined) refuse('request.not_found');
    const expires = new Date(Date.now() + VALID_DAYS * DAY_MS).toISOString();
    const lines = [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en'];
    // The canonical address must use https.
    if (publicUrl.startsWith('https:')) lines.push(`Canonical: ${publicUrl}${PATH}`);
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}
