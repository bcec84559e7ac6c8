import type { ErrorId } from '@steward/contract/api/errors';
import { SCIM_BASE } from '@steward/contract/scim';
import type { Refusal } from './errors.ts';

/** Media type of SCIM (RFC 7644, section 3.1). */
export const SCIM_TYPE = 'application/scim+json; charset=utf-8';

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** `scimType` of RFC 7644, table 9. */
const SCIM_TYPES: Partial<Record<ErrorId, string>> = {
  'request.invalid': 'invalidSyntax',
  'scim.invalid_syntax': 'invalidSyntax',
  'scim.invalid_filter': 'invalidFilter',
  'scim.invalid_path': 'invalidPath',
  'scim.invalid_value': 'invalidValue',
  'scim.no_target': 'noTarget',
  'scim.mutability': 'mutability',
  'scim.uniqueness': 'uniqueness',
};

export interface ScimErrorBody {
  schemas: [string];
  status: string;
  scimType?: string;
  detail: string;
}

/** All errors below this path have the form of SCIM, also those of the parser, of limits and of unknown paths. */
export function isScimPath(url: string): boolean {
  return url === SCIM_BASE || url.startsWith(`${SCIM_BASE}/`) || url.startsWith(`${SCIM_BASE}?`);
}

/** Base URLs that were entered with a slash at the end, or joined with one too many, lead to the same resources. */
export function normalizeScimUrl(url: string): string {
  if (!/^\/+scim\/+v2(?:[/?]|$)/.test(url)) return url;
  const end = url.includes('?') ? url.indexOf('?') : url.length;
  return url.slice(0, end).replace(/\/+/g, '/').replace(/\/$/, '') + url.slice(end);
}

/** The form of RFC 7644, section 3.12. */
export function toScimErrorBody(refusal: Refusal): ScimErrorBody {
  const scimType = SCIM_TYPES[refusal.id];
  const detail = refusal.id === 'request.not_json' ? NOT_JSON : refusal.message;
  return { schemas: [ERROR_SCHEMA], status: String(refusal.status), ...(scimType && { scimType }), detail };
}

const NOT_JSON = 'The request must be JSON (Content-Type: application/scim+json or application/json).';
