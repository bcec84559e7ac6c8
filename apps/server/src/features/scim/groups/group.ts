import { SCIM_MEMBERS_MAX } from '@steward/contract/api/limits';
import { refuse } from '#platform/http/errors.ts';
import { readFields, readList, readText, requireSchema } from '../patch-fields.ts';

/** Schema of groups (RFC 7643, section 4.2). */
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

const DISPLAY_NAME_MAX = 256;
const EXTERNAL_ID_MAX = 256;

/** User ids in the order sent. */
export interface MemberStep {
  kind: 'add' | 'remove' | 'replace';
  ids: readonly string[];
}

/** Absent attributes are unchanged. */
export interface GroupChange {
  displayName?: string;
  externalId?: string | null;
  steps: readonly MemberStep[];
}

/** POST and PUT replace the whole group. */
export function readGroup(body: unknown): Required<GroupChange> {
  const fields = readFields(body, 'body');
  requireSchema(fields, GROUP_SCHEMA);
  return {
    displayName: readGroupName(fields.get('displayname')),
    externalId: readExternalId(fields.get('externalid')),
    steps: [{ kind: 'replace', ids: readMembers(fields.get('members')) }],
  };
}

export function readGroupName(value: unknown): string {
  return readText(value, 'displayName', DISPLAY_NAME_MAX) ?? refuse('scim.invalid_value', 'displayName: is required');
}

/** Reads the id assigned by the identity provider. */
export function readExternalId(value: unknown): string | null {
  return readText(value, 'externalId', EXTERNAL_ID_MAX);
}

/** Nested groups are not supported. */
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
