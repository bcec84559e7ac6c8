import { SCIM_MEMBERS_MAX } from '@steward/contract/api/limits';
import { refuse } from '#platform/http/errors.ts';
import { readFields, readList, readText, requireSchema } from '../patch-fields.ts';

/** Schema of groups (RFC 7643, section 4.2). */
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

const DISPLAY_NAME_MAX = 256;
const EXTERNAL_ID_MAX = 256;

/** A change of members by the ids of users, in the order in which they were sent. */
export interface MemberStep {
  kind: 'add' | 'remove' | 'replace';
  ids: readonly string[];
}

/** Absent attributes stay as they are. */
export interface GroupChange {
  displayName?: string;
  externalId?: string | null;
  steps: readonly MemberStep[];
}

/** Reads the group of a POST or PUT, which replaces all of it. */
export function readGroup(body: unknown): Required<GroupChange> {
  const fields = readFields(body, 'body');
  requireSchema(fields, GROUP_SCHEMA);
  return {
    displayName: readGroupName(fields.get('displayname')),
    externalId: readExternalId(fields.get('externalid')),
    steps: [{ kind: 'replace', ids: readMembers(fields.get('members')) }],
  };
}

/** Reads the name of a group, which is required. */
export function readGroupName(value: unknown): string {
  return readText(value, 'displayName', DISPLAY_NAME_MAX) ?? refuse('scim.invalid_value', 'displayName: is required');
}

/** Reads the identity provider's own id. */
export function readExternalId(value: unknown): string | null {
  return readText(value, 'externalId', EXTERNAL_ID_MAX);
}

/** Reads the ids of members. Groups in groups are not supported. */
export function readMembers(value: unknown): string[] {
  return readList(value, 'members', SCIM_MEMBERS_MAX).map((given) => {
    const fields = readFields(typeof given === 'string' ? { value: given } : given, 'members');
    if (String(fields.get('type') ?? 'User').toLowerCase() === 'group')
      refuse('scim.invalid_value', 'members: groups in groups are not supported');
    return (
      readText(fields.get('value'), 'members.value', 256) ??
      refuse('scim.invalid_value', 'members: has one without a value')
    );
  });
}
