import type { saveUser, UserForm } from '@steward/contract/users';
import { toRoles } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { findByEmail, type MemberRow, saveNames, saveRoles } from '#workspace/people/people.store.ts';
import { inviteAddress, joinTeam } from '#workspace/teams/invite.ts';

interface Save {
  teamId: string;
  actorId: string;
  form: UserForm;
}

const DONE = { status_code: 200 } as const;

/** Adds somebody to the team, or edits who is in it, by email (design §4). */
export async function saveTeamMember(trx: Trx, deps: Deps, save: Save): Promise<Changed<typeof saveUser>> {
  const person = await findByEmail(trx, save.teamId, save.form.email);
  if (!person) return invite(trx, deps, save);
  if (person.delete_at !== 0) refuse('users.deactivated');
  if (person.roles === null) return join(trx, deps, { save, person });
  return edit(trx, save, { ...person, roles: person.roles });
}

async function invite(trx: Trx, deps: Deps, { teamId, actorId, form }: Save): Promise<Changed<typeof saveUser>> {
  const personId = await inviteAddress(trx, deps, { ...form, teamId, roles: toRoles(form.account_type) });
  // Somebody else invited the same address between our look and our insert.
  if (personId === undefined) refuse('record.conflict', 'This address was added just now. Please try again.');
  const details = { email: form.email, account_type: form.account_type };
  return { answer: DONE, audit: { action: 'users.invited', teamId, actorId, target: personId, details } };
}

async function join(
  trx: Trx,
  deps: Deps,
  { save, person }: { save: Save; person: MemberRow },
): Promise<Changed<typeof saveUser>> {
  const { teamId, actorId, form } = save;
  await joinTeam(trx, deps, { teamId, person, roles: toRoles(form.account_type) });
  const details = { email: form.email, account_type: form.account_type };
  return { answer: DONE, audit: { action: 'users.joined', teamId, actorId, target: person.id, details } };
}

async function edit(trx: Trx, save: Save, person: MemberRow & { roles: string[] }): Promise<Changed<typeof saveUser>> {
  const { teamId, actorId, form } = save;
  if (person.roles.includes('team_owner')) refuse('users.owner_is_locked');
  if (person.roles.includes('zendesk')) refuse('users.zendesk_has_no_actions');
  const before = { first_name: person.first_name, last_name: person.last_name, roles: person.roles };
  const after = {
    first_name: form.first_name?.normalize('NFC') ?? person.first_name,
    last_name: form.last_name?.normalize('NFC') ?? person.last_name,
    roles: toRoles(form.account_type) as string[],
  };
  const renamed = after.first_name !== before.first_name || after.last_name !== before.last_name;
  const changed = renamed || after.roles.join() !== before.roles.join();
  // A name shows in every team of the person, so one team's admin does not decide over it.
  if (renamed && person.other_teams > 0) refuse('users.name_is_theirs');
  if (!changed) return { answer: DONE, audit: null };
  if (renamed) await saveNames(trx, person.id, after);
  await saveRoles(trx, { teamId, personId: person.id, roles: after.roles });
  return {
    answer: DONE,
    audit: { action: 'users.edited', teamId, actorId, target: person.id, details: { before, after } },
  };
}
