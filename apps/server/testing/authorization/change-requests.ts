import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { endpoints } from '@steward/contract/api/endpoints';
import { newId } from '#platform/database/ids.ts';
import { callAt, type Reply } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { nextAddress } from '#testing/workspace/signup.ts';
import { createWorld } from './actors.ts';
import { BEFORE_ANY_TEAM, prepareRequest, UNAUDITED } from './audited-changes.ts';
import { getRows } from './row-counts.ts';

export const changing = endpoints.filter(
  ({ method, name }) => method !== 'GET' && UNAUDITED[name] === undefined && !BEFORE_ANY_TEAM.has(name),
);

/**
 * Calls with an audit row that ignore Idempotency-Key. Calls without a session have no user for a key, calls to a help desk or
 * DNS have several steps, a confirmation first checks a password, imports run in batches, and pictures are decoded first.
 */
export const UNKEYED: readonly string[] = [
  'addContent',
  'changePassword',
  'confirmEmail',
  'confirmStillNeeded',
  'connectIntegration',
  'disableIntegration',
  'finishSignIn',
  'finishSignUp',
  'login',
  'loginWithPasskey',
  'logout',
  'reauthenticate',
  'reportOutcomes',
  'reportWork',
  'requestEmailChange',
  'resetPassword',
  'saveIntegration',
  'savePicture',
  'sendPasswordReset',
  'signUp',
  'testIntegration',
  'verifyDomain',
];

export type Change = Awaited<ReturnType<typeof prepareChange>>;

/** The client address of the request identifies its audit rows. */
export async function prepareChange(node: TestApp, endpoint: AnyEndpoint) {
  const world = await createWorld(node);
  const { request } = await prepareRequest(endpoint.name, world);
  const before = await getRows(node, world.teamId);
  return { endpoint, teamId: world.teamId, sending: request, key: newId(), address: nextAddress(), before };
}

/** The server must trust one proxy. Returns undefined if the connection ended before the response. */
export async function sendChange(url: string, change: Change): Promise<Pick<Reply, 'status' | 'text'> | undefined> {
  const { endpoint, sending, key, address } = change;
  const headers = { ...sending.headers, 'idempotency-key': key };
  const reply = await callAt(url, endpoint, { ...sending, headers, from: address }).catch(() => undefined);
  return reply && { status: reply.status, text: reply.text };
}
