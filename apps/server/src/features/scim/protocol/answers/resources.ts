import { createHash } from 'node:crypto';
import { GROUP_SCHEMA } from '../../groups/group.ts';
import type { GroupMember, GroupRow } from '../../groups/groups.store.ts';
import { USER_SCHEMA } from '../../users/user.ts';
import type { UserGroup, UserRow } from '../../users/users.store.ts';

export type Resource = Readonly<Record<string, unknown>> & { id: string; meta: ResourceMeta };

export interface ResourceMeta {
  resourceType: string;
  created: string;
  lastModified: string;
  location: string;
  version: string;
}

/** The version covers everything but the groups, which change elsewhere. */
export function toUserResource(row: UserRow, groups: readonly UserGroup[], baseUrl: string): Resource {
  const { given_name: givenName, family_name: familyName } = row;
  const name = omitEmpty({ givenName, familyName });
  const user = {
    userName: row.user_name,
    ...omitEmpty({ externalId: row.external_id, displayName: row.display_name }),
    ...(Object.keys(name).length > 0 && { name }),
    active: row.state === 'active' || row.state === 'invited',
    emails: row.emails,
  };
  const meta = {
    resourceType: 'User',
    ...toTimes(row),
    location: `${baseUrl}/Users/${row.id}`,
    version: toVersion(JSON.stringify(user)),
  };
  const listed = groups.map(({ id, display_name }) => ({
    value: id,
    display: display_name,
    $ref: `${baseUrl}/Groups/${id}`,
    type: 'direct',
  }));
  return { schemas: [USER_SCHEMA], id: row.id, ...user, ...(listed.length > 0 && { groups: listed }), meta };
}

/** `members` is undefined if the request doesn't ask for them. */
export function toGroupResource(row: GroupRow, members: readonly GroupMember[] | undefined, baseUrl: string): Resource {
  const listed = members?.map(({ user_id }) => ({
    value: user_id,
    type: 'User',
    $ref: `${baseUrl}/Users/${user_id}`,
  }));
  const meta = {
    resourceType: 'Group',
    ...toTimes(row),
    location: `${baseUrl}/Groups/${row.id}`,
    version: toVersion(`${row.version}`),
  };
  return {
    schemas: [GROUP_SCHEMA],
    id: row.id,
    displayName: row.display_name,
    ...omitEmpty({ externalId: row.external_id }),
    ...(listed !== undefined && listed.length > 0 && { members: listed }),
    meta,
  };
}

const toVersion = (state: string) => `W/"${createHash('sha256').update(state).digest('base64url').slice(0, 22)}"`;

function toTimes({ created, modified }: { created: number; modified: number }) {
  return { created: new Date(created).toISOString(), lastModified: new Date(modified).toISOString() };
}

function omitEmpty(fields: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== ''),
  );
}
