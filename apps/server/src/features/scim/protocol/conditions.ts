import type { FastifyRequest } from 'fastify';
import { refuse } from '#platform/http/errors.ts';
import type { Resource } from './answers/resources.ts';

/** Refuses a change if the caller has seen another version (RFC 7644, section 3.14). */
export function requireVersion(request: FastifyRequest, { meta }: Resource): void {
  const expected = request.headers['if-match'];
  if (expected !== undefined && !listsVersion(expected, meta.version)) refuse('scim.version');
}

export function hasVersion(request: FastifyRequest, { meta }: Resource): boolean {
  const known = request.headers['if-none-match'];
  return known !== undefined && listsVersion(known, meta.version);
}

function listsVersion(header: string, version: string): boolean {
  const strong = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.split(',').some((tag) => tag.trim() === '*' || strong(tag) === strong(version));
}
