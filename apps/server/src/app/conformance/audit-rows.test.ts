import assert from 'node:assert/strict';
import { endpoints } from '@steward/contract/api/endpoints';
import { type AuditAction, findAuditAction } from '@steward/contract/audit/catalog';
import { AUDIT_DETAILS, fromStoredDetails } from '@steward/contract/audit/details';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { createActor, createWorld } from '#testing/authorization/actors.ts';
import {
  BEFORE_ANY_TEAM,
  buildChangeRequest,
  getAllowedActor,
  UNAUDITED,
} from '#testing/authorization/audited-changes.ts';
import { type HelpdeskApp, startHelpdeskApp } from '#testing/workspace/helpdesk.ts';

let rig: HelpdeskApp;

beforeAll(async () => {
  rig = await startHelpdeskApp();
});

afterAll(() => rig[Symbol.asyncDispose]());

const FROM = '192.0.2.44';

/** Sends a request of the call that changes something; answers its reply and the rows that it wrote. */
async function change(endpoint: (typeof endpoints)[number]) {
  const { node } = rig;
  const world = await createWorld(node);
  const admin = await createActor(node, world, getAllowedActor(endpoint.name));
  const request = await buildChangeRequest(endpoint.name, world, admin);
  assert.ok(request, `no line of the authorization matrix lets an admin call ${endpoint.name}`);
  const reply = await call(node, endpoint, { ...request, from: FROM });
  assert.equal(reply.status, endpoint.success ?? 200, reply.text);
  const rows = await node.db
    .selectFrom('audit_events')
    .selectAll()
    .where('request_id', '=', String(reply.headers['x-request-id']))
    .execute();
  const teamId = request.params?.teamId ?? world.teamId;
  return { teamId, rows };
}

/** The stored details have the current version of their action, and nothing that its schema does not name. */
function assertDetails(action: AuditAction, stored: Record<string, unknown>): void {
  const versions = AUDIT_DETAILS[action];
  const { version, details } = fromStoredDetails(stored);
  assert.equal(stored.v, versions.length, `${action} is not stored with its current version`);
  const parsed = versions[version - 1]?.safeParse(details);
  assert.equal(parsed?.success, true, `${action}: ${parsed?.error?.message ?? 'no schema'}`);
}

describe('the audit log', () => {
  // The test of the set-up has the row of that call.
  const changing = endpoints.filter(({ method, name }) => method !== 'GET' && !BEFORE_ANY_TEAM.has(name));

  for (const endpoint of changing.filter(({ name }) => UNAUDITED[name] === undefined)) {
    test(`gets one row of ${endpoint.name}, which says what was done and from where, with details of its schema`, async () => {
      const { teamId, rows } = await change(endpoint);
      assert.equal(rows.length, 1, `${endpoint.name} wrote ${rows.length} rows`);
      const [row = assert.fail()] = rows;
      const info = findAuditAction(row.action);
      assert.ok(info, `${row.action} is not in the catalog`);
      assertDetails(row.action as AuditAction, row.details);
      assert.equal(row.address, FROM);
      const isPersonal = info.personal === true || (row.action === 'session.reset_requested' && row.target === null);
      if (isPersonal) assert.equal(row.team_id, '');
      // A sign-up creates a team of its own.
      else if (row.action !== 'signup.finished') assert.equal(row.team_id, teamId);
    });
  }

  for (const endpoint of changing.filter(({ name }) => UNAUDITED[name] !== undefined)) {
    test(`gets no row of ${endpoint.name}, which ${UNAUDITED[endpoint.name]}`, async () => {
      assert.deepEqual((await change(endpoint)).rows, []);
    });
  }

  test('is excused of calls that there are, and that may be sent', () => {
    const names = new Set(changing.map(({ name }) => name));
    assert.deepEqual(
      Object.keys(UNAUDITED).filter((name) => !names.has(name)),
      [],
    );
  });
});
