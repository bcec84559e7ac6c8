import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { newId } from '#platform/database/ids.ts';

/** An invitation is a membership without a person until it is accepted, and people are deactivated per team. */
export const membershipStates: Migration = {
  async up(db) {
    for (const statement of COLUMNS) await sql.raw(statement).execute(db);
    await giveInvitationsOwnIds(db);
    for (const statement of INVITATIONS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const COLUMNS = [
  'alter table memberships drop constraint memberships_person_id_fkey',
  'alter table links drop constraint links_person_id_fkey',
  `alter table memberships
    add column email ${ID}, add column first_name text, add column last_name text,
    add column invited_by ${ID}, add column invited_at bigint, add column invitation_limited boolean not null default false,
    add column deactivated_at bigint, add column last_active_at bigint`,
  // People of integrations never had an invitation.
  `update people p set type = 2 where type = 1
    and exists (select 1 from memberships m where m.person_id = p.id and 'zendesk' = any(m.roles))`,
  // Deactivated before they accepted: there is nothing to come back to.
  `delete from channel_members j using people p where p.id = j.person_id and p.type = 1`,
  `delete from memberships m using people p where p.id = m.person_id and p.type = 1 and p.delete_at <> 0`,
  `update memberships m set deactivated_at = p.delete_at from people p where p.id = m.person_id and p.delete_at <> 0`,
];

/** A person who was invited by several teams gets an invitation with an id of its own in each but the first. */
// biome-ignore lint/suspicious/noExplicitAny: a migration does not know the tables of a later version
async function giveInvitationsOwnIds(db: Kysely<any>): Promise<void> {
  const { rows } = await sql<{ team_id: string; person_id: string }>`
    select team_id, person_id from (
      select m.team_id, m.person_id, row_number() over (partition by m.person_id order by m.create_at, m.team_id) as nth
      from memberships m join people p on p.id = m.person_id where p.type = 1
    ) invited where nth > 1`.execute(db);
  const all = (pick: (row: { team_id: string; person_id: string }) => string) => rows.map(pick);
  const moved = sql`unnest(${all(({ team_id }) => team_id)}::text[], ${all(({ person_id }) => person_id)}::text[],
    ${rows.map(() => newId())}::text[]) as moved (team_id, person_id, id)`;
  // The typed fields are copied here, while the row can still be joined to its person.
  await sql`update memberships m set email = p.email, first_name = p.first_name, last_name = p.last_name,
      invited_at = m.create_at
    from people p where p.id = m.person_id and p.type = 1`.execute(db);
  for (const table of ['memberships', 'links', 'mails'])
    await sql`update ${sql.table(table)} t set person_id = moved.id from ${moved}
      where t.team_id = moved.team_id and t.person_id = moved.person_id`.execute(db);
}

const INVITATIONS = [
  // A row that a team typed is an invitation; it belongs to a person only after they accepted.
  `update directory_entries d set user_id = '', last_picture_update = 0 from people p where p.id = d.user_id and p.type = 1`,
  `delete from presence r using people p where p.id = r.person_id and p.type = 1`,
  `delete from known_addresses k using people p where p.id = k.person_id and p.type = 1`,
  `delete from sessions s using people p where p.id = s.person_id and p.type = 1`,
  // Links whose invitation is gone would lead nowhere.
  `delete from links l where not exists (select 1 from memberships m
      where m.team_id = l.team_id and m.person_id = l.person_id and m.email is not null) and kind = 'invite'`,
  `delete from links l using people p where p.id = l.person_id and p.type = 1 and l.kind = 'reset'`,
  'delete from people where type = 1',
  'drop index people_pending',
  'alter table people drop column type, drop column delete_at',

  `alter table memberships
    add constraint memberships_invited check ((email is null) = (first_name is null) and (email is null) = (last_name is null)
      and (email is null or not deactivated)),
    add constraint memberships_deactivated check (deactivated = (deactivated_at is not null))`,
  'create unique index memberships_by_email on memberships (team_id, email) where email is not null',
  'create index memberships_invitations on memberships (email) where email is not null',
  // An invitation's links go with it; links for a password have no team.
  `alter table links add constraint links_invitation foreign key (team_id, person_id)
    references memberships (team_id, person_id) on delete cascade on update cascade`,

  // The id of a membership is that of its person, except for invitations: no foreign key can say so.
  `create function people_have_no_memberships() returns trigger language plpgsql as $$
    begin
      if exists (select 1 from memberships where person_id = old.id) then
        raise exception 'person % still belongs to a team', old.id using errcode = '23503';
      end if;
      return old;
    end $$`,
  `create trigger people_have_no_memberships before delete on people
    for each row execute function people_have_no_memberships()`,

  `create table invitation_counts (
    key ${ID} primary key,
    since timestamptz not null,
    sent integer not null
  )`,
  'create index invitation_counts_by_age on invitation_counts (since)',
];
