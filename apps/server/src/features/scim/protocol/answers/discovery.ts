import { SCIM_PAGE_MAX } from '@steward/contract/api/limits';
import { GROUP_SCHEMA } from '../../groups/group.ts';
import { USER_SCHEMA } from '../../users/user.ts';

const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'complex' | 'reference';
  description: string;
  multiValued?: boolean;
  required?: boolean;
  caseExact?: boolean;
  mutability?: 'readWrite' | 'readOnly' | 'immutable';
  uniqueness?: 'none' | 'server';
  subAttributes?: readonly Attribute[];
  referenceTypes?: readonly string[];
  canonicalValues?: readonly string[];
}

/** Includes every characteristic (RFC 7643, section 7). */
function describe({ subAttributes, ...attribute }: Attribute): object {
  const hasCase = attribute.type === 'string' || attribute.type === 'reference';
  return {
    multiValued: false,
    required: false,
    mutability: 'readWrite',
    returned: 'default',
    ...(hasCase && { caseExact: false, uniqueness: 'none' }),
    ...attribute,
    ...(subAttributes && { subAttributes: subAttributes.map(describe) }),
  };
}

const readOnly = { mutability: 'readOnly' } as const;

const USER_ATTRIBUTES: readonly Attribute[] = [
  {
    name: 'userName',
    type: 'string',
    required: true,
    uniqueness: 'server',
    description: 'What the identity provider calls the user. Until it sets one, the email address.',
  },
  {
    name: 'name',
    type: 'complex',
    description: "The user's name.",
    subAttributes: [
      { name: 'givenName', type: 'string', description: 'First name.' },
      { name: 'familyName', type: 'string', description: 'Last name.' },
    ],
  },
  { name: 'displayName', type: 'string', description: 'Kept for the identity provider.' },
  {
    name: 'active',
    type: 'boolean',
    required: true,
    description: 'Whether the user can use the team. True if it is not sent with a new user; it cannot be removed.',
  },
  {
    name: 'emails',
    type: 'complex',
    multiValued: true,
    required: true,
    description: 'Email addresses. The primary one, else that for work, else the first is the address of the account.',
    subAttributes: [
      { name: 'value', type: 'string', description: 'The address.', required: true },
      { name: 'display', type: 'string', description: 'Kept for the identity provider.' },
      { name: 'type', type: 'string', description: 'Such as work.', canonicalValues: ['work', 'home', 'other'] },
      { name: 'primary', type: 'boolean', description: 'Whether it is the address of the account.' },
    ],
  },
  {
    name: 'groups',
    type: 'complex',
    multiValued: true,
    ...readOnly,
    description: 'Provisioned groups that the user belongs to.',
    subAttributes: [
      { name: 'value', type: 'string', description: 'Id of the group.', caseExact: true, ...readOnly },
      { name: '$ref', type: 'reference', description: 'The group.', referenceTypes: ['Group'], ...readOnly },
      { name: 'display', type: 'string', description: 'Name of the group.', ...readOnly },
      { name: 'type', type: 'string', description: 'Always direct.', ...readOnly },
    ],
  },
];

const GROUP_ATTRIBUTES: readonly Attribute[] = [
  { name: 'displayName', type: 'string', required: true, description: 'Name of the group. Names may repeat.' },
  {
    name: 'members',
    type: 'complex',
    multiValued: true,
    description: 'Users in the group.',
    subAttributes: [
      {
        name: 'value',
        type: 'string',
        description: 'Id of the user.',
        caseExact: true,
        required: true,
        mutability: 'immutable',
      },
      { name: '$ref', type: 'reference', description: 'The user.', referenceTypes: ['User'], mutability: 'immutable' },
      { name: 'type', type: 'string', description: 'Always User.', mutability: 'immutable', canonicalValues: ['User'] },
    ],
  },
];

function toSchema(
  id: string,
  name: string,
  rest: { description: string; attributes: readonly Attribute[]; baseUrl: string },
) {
  return {
    schemas: [SCHEMA_SCHEMA],
    id,
    name,
    description: rest.description,
    attributes: rest.attributes.map(describe),
    meta: { resourceType: 'Schema', location: `${rest.baseUrl}/Schemas/${id}` },
  };
}

/** The schemas list exactly the attributes that are stored. */
export function listSchemas(baseUrl: string) {
  return [
    toSchema(USER_SCHEMA, 'User', { description: 'A user of the team.', attributes: USER_ATTRIBUTES, baseUrl }),
    toSchema(GROUP_SCHEMA, 'Group', { description: 'A group of users.', attributes: GROUP_ATTRIBUTES, baseUrl }),
  ];
}

const CONFIG_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';

/** RFC 7643, section 5. */
export function getServiceProviderConfig(baseUrl: string) {
  return {
    schemas: [CONFIG_SCHEMA],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: SCIM_PAGE_MAX },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        primary: true,
        description: 'A provisioning token that an owner of the team created.',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
  };
}

/** RFC 7643, section 6. */
export function listResourceTypes(baseUrl: string) {
  const toType = (id: string, rest: { description: string; endpoint: string; schema: string }) => ({
    schemas: [TYPE_SCHEMA],
    id,
    name: id,
    ...rest,
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${id}` },
  });
  return [
    toType('User', { description: 'A user of the team.', endpoint: '/Users', schema: USER_SCHEMA }),
    toType('Group', { description: 'A group of users.', endpoint: '/Groups', schema: GROUP_SCHEMA }),
  ];
}
