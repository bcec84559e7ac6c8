import type { Database, Trx } from '#platform/database/database.ts';
import { refuse } from '#platform/http/errors.ts';
import { isLastOwner, removeMember } from '#workspace/access/memberships/end-membership.actions.ts';
import { removeProvisionedUser } from '#workspace/users/identity-providers/provisioning.store.ts';
import { findMember } from '#workspace/users/members.store.ts';
import { removeMembership } from '#workspace/users/memberships.store.ts';
import { applyGroupRoles } from '../groups/apply-roles.actions.ts';
import { readOperations } from '../patch-operations.ts';
import type { Provisioning } from '../provisioning.ts';
import { addUser } from '../users/add-user.actions.ts';
import { patchUser } from '../users/patch-user.ts';
import { readUser } from '../users/read-user.ts';
import { saveUser, toInput } from '../users/save-user.actions.ts';
import { describeEnded, toDetails } from '../users/suspend.actions.ts';
import type { UserInput } from '../users/user.ts';
import { findUser, listGroupsOfUsers, listUsers, type UserRow } from '../users/users.store.ts';
import { asksFor, project } from './answers/projection.ts';
import { type Resource, toUserResource } from './answers/resources.ts';
import { changeByScim } from './change-by-scim.actions.ts';
import { hasVersion, requireVersion } from './conditions.ts';
import { type ListQuery, readResourceQuery } from './list-query.ts';
import type { ScimAnswer, ScimCall } from './scim-call.ts';

export async function listUserResources(
  { deps, teamId, baseUrl }: ScimCall,
  { filter, startIndex, count, projection }: ListQuery,
): Promise<{ resources: object[]; total: number }> {
  const { rows, total } = await listUsers(deps.db, teamId, { filter, offset: startIndex - 1, limit: count });
  const groups =
    asksFor(projection, 'groups') && rows.length > 0
      ? await listGroupsOfUsers(
          deps.db,
          teamId,
          rows.map(({ id }) => id),
        )
      : [];
  const resources = rows.map((row) =>
    toUserResource(
      row,
      groups.filter(({ user_id }) => user_id === row.id),
      baseUrl,
    ),
  );
  return { resources: resources.map((resource) => project(resource, projection)), total };
}

/** Without a body if the caller has this version. */
export async function getUser(call: ScimCall): Promise<ScimAnswer> {
  const { deps, teamId, request, reply } = call;
  const row = (await findUser(deps.db, teamId, call.id)) ?? refuse('record.not_found');
  const resource = await toResource(call, deps.db, row);
  reply.header('etag', resource.meta.version);
  if (hasVersion(request, resource)) return { status: 304 };
  return { status: 200, body: project(resource, readResourceQuery(request.query)) };
}

export async function postUser(call: ScimCall): Promise<ScimAnswer> {
  const user = readUser(call.request.body);
  return changeByScim(call, async (provisioning) => {
    const id = await addUser(provisioning, user);
    await applyGroupRoles(provisioning, { groupId: '', userIds: [id] });
    return answerUser(call, provisioning, { id, status: 201 });
  });
}

/**
 * Without `active` in the request, the state is unchanged: omitting it reactivates no user. Omitting a name clears one that the
 * provider had sent.
 */
export async function putUser(call: ScimCall): Promise<ScimAnswer> {
  const { active, ...user } = readUser(call.request.body);
  const replace = (name: string | null, before: string | null) => name ?? (before === null ? null : '');
  return changeUser(call, (before) => ({
    ...user,
    givenName: replace(user.givenName, before.givenName),
    familyName: replace(user.familyName, before.familyName),
    active: active ?? before.active,
  }));
}

export async function patchUserCall(call: ScimCall): Promise<ScimAnswer> {
  const operations = readOperations(call.request.body);
  return changeUser(call, (before) => patchUser(before, operations));
}

export async function deleteUser(call: ScimCall): Promise<ScimAnswer> {
  return changeByScim(call, async (provisioning) => {
    const row = await requireUser(call, provisioning.trx);
    await removeUser(provisioning, row);
    return { status: 204 };
  });
}

async function changeUser(call: ScimCall, change: (before: UserInput) => UserInput): Promise<ScimAnswer> {
  return changeByScim(call, async (provisioning) => {
    const row = await requireUser(call, provisioning.trx);
    const before = toInput(row);
    await saveUser(provisioning, row, change(before));
    await applyGroupRoles(provisioning, { groupId: '', userIds: [row.id] });
    return answerUser(call, provisioning, { id: row.id, status: 200 });
  });
}

async function requireUser(call: ScimCall, trx: Trx): Promise<UserRow> {
  const row = (await findUser(trx, call.teamId, call.id)) ?? refuse('record.not_found');
  requireVersion(call.request, await toResource(call, trx, row));
  return row;
}

async function toResource({ teamId, baseUrl }: ScimCall, db: Database | Trx, row: UserRow): Promise<Resource> {
  return toUserResource(row, await listGroupsOfUsers(db, teamId, [row.id]), baseUrl);
}

async function answerUser(
  call: ScimCall,
  { trx }: Provisioning,
  { id, status }: { id: string; status: number },
): Promise<ScimAnswer> {
  const row = (await findUser(trx, call.teamId, id)) ?? refuse('record.not_found');
  const resource = await toResource(call, trx, row);
  call.reply.header('location', resource.meta.location).header('etag', resource.meta.version);
  return { status, body: project(resource, readResourceQuery(call.request.query)) };
}

const NOTHING_ENDED = { sessions: 0, links: 0, tokens: 0, before: [] };

/** Also deletes the attributes that the identity provider has sent. */
async function removeUser(provisioning: Provisioning, row: UserRow): Promise<void> {
  const { trx, deps, teamId, tokenId, audit, note } = provisioning;
  const member = row.person_id === null ? undefined : await findMember(trx, teamId, row.person_id);
  const event = { action: 'scim.user_removed', teamId, actorId: null, target: row.person_id ?? row.id } as const;
  if (member === undefined || member.state === 'invited') {
    if (member) await removeMembership(trx, teamId, member.id);
    await removeProvisionedUser(trx, teamId, row.id);
    note(member ? `Canceled the invitation of ${row.user_name}.` : `Removed ${row.user_name}, who was inactive.`);
    return audit({ ...event, details: { scim_token_id: tokenId, ...NOTHING_ENDED } });
  }
  if (await isLastOwner(trx, { teamId, member })) refuse('scim.last_owner');
  const ended = await removeMember(trx, deps, { teamId, member });
  note(`Removed ${row.user_name} from the team, and ended ${describeEnded(ended)}.`);
  await audit({ ...event, details: { scim_token_id: tokenId, ...toDetails(ended) } });
}
