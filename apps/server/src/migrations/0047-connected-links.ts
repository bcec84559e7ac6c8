import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which account or invitation belongs to which user of a connected server. */
export const connectedLinks: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const ID = 'text collate "C"';

const STATEMENTS = [
  // An invitation becomes a membership of the account that accepts it, and the row follows by the foreign key.
  `create table connected_links (
    server_id ${ID} not null references connected_servers (id) on delete cascade,
    team_id ${ID} not null references teams (id) on delete cascade,
    user_id ${ID} not null,
    person_id ${ID},
    invited_at timestamptz not null default now(),
    linked_at timestamptz,
    removal_asked_at timestamptz,
    primary key (server_id, team_id, user_id),
    unique (team_id, person_id, server_id),
    foreign key (server_id, user_id) references connected_users (server_id, id) on delete cascade,
    foreign key (team_id, person_id) references memberships (team_id, person_id)
      on update cascade on delete set null (person_id)
  )`,
  'create index connected_links_by_user on connected_links (server_id, user_id)',
];
