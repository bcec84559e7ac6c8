import assert from 'node:assert/strict';
import { SCIM_MEMBERS_MAX, SCIM_OPERATIONS_MAX } from '@steward/contract/api/limits';
import { test } from 'vitest';
import { patchGroup } from '../groups/patch-group.ts';
import { readOperations } from '../patch-operations.ts';
import { patchUser } from './patch-user.ts';
import { EMAILS_MAX, type UserInput } from './user.ts';

const USER: UserInput = {
  userName: 'ada',
  externalId: null,
  givenName: null,
  familyName: null,
  displayName: null,
  emails: Array.from({ length: EMAILS_MAX }, (_, nth) => ({ value: `ada${nth}@corp.test`, type: `t${nth}` })),
  active: true,
};

const toBody = (operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
});
const patch = (...operations: object[]) => patchUser(USER, readOperations(toBody(operations)));
const mergedKeys = (count: number, key: (nth: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [key(nth), 'x']));

test('the limit on operations applies to those that merged keys stand for', () => {
  const keys = (count: number) => mergedKeys(count, (nth) => `emails[type eq "t${nth}"].display`);
  const tooMany = { message: /change more than 1000 attributes/ };
  assert.throws(() => patch({ op: 'add', value: keys(SCIM_OPERATIONS_MAX + 1) }), tooMany);
  const inSchema = { 'urn:ietf:params:scim:schemas:core:2.0:User': keys(600) };
  assert.throws(() => patch({ op: 'add', value: inSchema }, { op: 'add', value: keys(600) }), tooMany);
});

test('operations that would compare too often are refused, and the usual ones for every address are not', () => {
  const wide = Array.from({ length: 20 }, (_, nth) => `type ne "x${nth}"`).join(' and ');
  const operations = Array.from({ length: 100 }, () => ({
    op: 'replace',
    path: `emails[${wide}].display`,
    value: 'x',
  }));
  assert.throws(() => patch(...operations), { message: /more than 20000 comparisons/ });
  const usual = Array.from({ length: SCIM_OPERATIONS_MAX }, (_, nth) => {
    return { op: 'replace', path: `emails[type eq "t${nth % EMAILS_MAX}"].display`, value: `Ada ${nth}` };
  });
  assert.equal(patch(...usual).emails?.[0]?.display, `Ada ${SCIM_OPERATIONS_MAX - EMAILS_MAX}`);
});

test('addresses never grow beyond their limit between two operations', () => {
  const add = (nth: number) => ({ op: 'add', path: 'emails', value: [{ value: `new${nth}@corp.test` }] });
  assert.throws(() => patch(add(1), { op: 'remove', path: 'emails' }), { message: /more than 20 values/ });
});

test('an empty value removes its part of an address, and never the address', () => {
  const named = patch({ op: 'replace', path: 'emails[type eq "t0"].display', value: 'Ada' });
  const cleared = patchUser(
    named,
    readOperations(toBody([{ op: 'replace', path: 'emails[type eq "t0"].display', value: '' }])),
  );
  assert.deepEqual(cleared.emails?.[0], USER.emails?.[0]);
  const emptied = patch({ op: 'replace', path: 'emails[type eq "t0"].value', value: null });
  assert.deepEqual(emptied.emails, USER.emails);
});

test('of several primary addresses that one operation makes, none is accepted', () => {
  assert.throws(() => patch({ op: 'replace', path: 'emails[type sw "t"].primary', value: true }), /several primary/);
  const one = patch({ op: 'replace', path: 'emails[type eq "t3"].primary', value: 'True' });
  assert.deepEqual(
    one.emails?.filter(({ primary }) => primary).map(({ type }) => type),
    ['t3'],
  );
});

test('the limit on members of a group applies to all operations together', () => {
  const members = Array.from({ length: SCIM_MEMBERS_MAX / 2 + 1 }, (_, nth) => ({ value: `user-${nth}` }));
  const add = { op: 'add', path: 'members', value: members };
  assert.equal(patchGroup(readOperations(toBody([add]))).steps.length, 1);
  assert.throws(() => patchGroup(readOperations(toBody([add, add]))), { message: /members: has more than 20000/ });
});
