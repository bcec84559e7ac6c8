import { PROFILE_FIELDS, pickProfile, type saveUser, type UserAction, type UserForm } from '@steward/contract/users';
import { toRoles } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Changed } from '#workspace/changes/change.ts';
import {
  findByEmail,
  findMember,
  findPersonName,
  type MemberRow,
  saveProfile,
  saveRoles,
} from '#workspace/people/people.store.ts';
import { inviteAddress, joinTeam } from '#workspace/teams/invite.ts';
import { getRefusal, getRenameRefusal } from './users.policy.ts';

/** A member of a team, and the admin who acts. */
export interface TargetInput {
  teamId: string;
  personId: string;
  actorId: string;
}

/** The member with this id, locked, if the admin may do this to them. */
export async function findTarget(
  trx: Trx,
  { teamId, personId, actorId }: TargetInput,
  action: UserAction,
): Promise<MemberRow> {
  const person = await findMember(trx, teamId, personId);
  if (!person?.roles) refuse('record.not_found');
  const refusal = getRefusal(action, { ...person, roles: person.roles }, actorId);
  if (refusal) refuse(refusal);
  return person;
}

interface SaveInput {
  teamId: string;
  actorId: string;
  form: UserForm;
}

const DONE = { status_code: 200 } as const;

/** Invites a new address, adds an existing account to the team, or edits a member, by email. */
export async function saveUserByEmail(trx: Trx, deps: Deps, input: SaveInput): Promise<Changed<typeof saveUser>> {
  const person = await findByEmail(trx, input.teamId, input.form.email);
  if (!person) return inviteUser(trx, deps, input);
  const refusal = getRefusal('edit', { ...person, roles: person.roles ?? [] }, input.actorId);
  if (refusal) refuse(refusal);
  if (person.roles === null) return addToTeam(trx, deps, { input, person });
  return editUser(trx, input, { ...person, roles: person.roles });
}

async function inviteUser(
  trx: Trx,
  deps: Deps,
  { teamId, actorId, form }: SaveInput,
): Promise<Changed<typeof saveUser>> {
  const inviter = await findPersonName(trx, actorId);
  const personId = await inviteAddress(trx, deps, { ...form, teamId, inviter, roles: toRoles(form.account_type) });
  // Another call invited the same address between our lookup and our insert.
  if (personId === undefined) refuse('record.conflict', 'This address was just added. Try again.');
  const details = { email: form.email, account_type: form.account_type };
  return { answer: DONE, audit: { action: 'users.invited', teamId, actorId, target: personId, details } };
}

async function addToTeam(
  trx: Trx,
  deps: Deps,
  { input, person }: { input: SaveInput; person: MemberRow },
): Promise<Changed<typeof saveUser>> {
  const { teamId, actorId, form } = input;
  const inviter = await findPersonName(trx, actorId);
  await joinTeam(trx, deps, { teamId, person, inviter, roles: toRoles(form.account_type) });
  const details = { email: form.email, account_type: form.account_type };
  return { answer: DONE, audit: { action: 'users.joined', teamId, actorId, target: person.id, details } };
}

async function editUser(
  trx: Trx,
  { teamId, actorId, form }: SaveInput,
  person: MemberRow & { roles: string[] },
): Promise<Changed<typeof saveUser>> {
  const oldProfile = pickProfile(person);
  const profile = { ...oldProfile, ...pickProfile(form) };
  const roles: string[] = toRoles(form.account_type);
  const isRenamed = PROFILE_FIELDS.some((name) => profile[name].normalize('NFC') !== oldProfile[name]);
  const refusal = isRenamed ? getRenameRefusal(person) : undefined;
  if (refusal) refuse(refusal);
  if (!isRenamed && roles.join() === person.roles.join()) return { answer: DONE, audit: null };
  if (isRenamed) await saveProfile(trx, person.id, profile);
  await saveRoles(trx, { teamId, personId: person.id, roles });
  const before = { ...oldProfile, roles: person.roles };
  const after = { ...profile, roles };
  return {
    answer: DONE,
    audit: { action: 'users.edited', teamId, actorId, target: person.id, details: { before, after } },
  };
}
