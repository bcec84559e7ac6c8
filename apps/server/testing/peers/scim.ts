import { SCIM_BASE } from '@steward/contract/scim';
import type { InjectOptions } from 'fastify';
import { addScimToken } from '#features/scim/tokens.store.ts';
import { inTransaction } from '#platform/database/database.ts';
import { send } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export type TestProvisioner = Awaited<ReturnType<typeof scimToken>>;

export async function scimToken(node: TestApp, teamId: string, createdBy: string) {
  const made = await inTransaction(node.db, (trx) => addScimToken(trx, { teamId, name: 'Directory', createdBy }));
  return { ...made, teamId };
}

export interface ScimSending {
  body?: unknown;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  text?: string;
}

export function scim(node: TestApp, { token }: { token: string }, request: string, sending: ScimSending = {}) {
  const { body, query, headers, text } = sending;
  const [method = '', path = ''] = request.split(' ');
  const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
  return send(node, {
    method: method as NonNullable<InjectOptions['method']>,
    url: SCIM_BASE + path,
    ...(query && { query }),
    headers: {
      authorization: `Bearer ${token}`,
      ...(payload === undefined ? {} : { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
  });
}

export function toPatch(...Operations: object[]) {
  return { schemas: [PATCH_SCHEMA], Operations };
}

export function buildUser(email: string, more: object = {}) {
  return {
    schemas: [USER_SCHEMA],
    userName: email,
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ value: email, type: 'work', primary: true }],
    active: true,
    ...more,
  };
}

export function buildGroup(displayName: string, memberIds: readonly string[] = [], more: object = {}) {
  return { schemas: [GROUP_SCHEMA], displayName, members: memberIds.map((value) => ({ value })), ...more };
}
