import { SCIM_PAGE_MAX } from '@steward/contract/api/limits';
import { GROUP_SCHEMA } from '../../groups/group.ts';
import { USER_SCHEMA } from '../../users/user.ts';

const CONFIG_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';

/** What this server supports (RFC 7643, section 5). */
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
        ...{ type: 'oauthbearertoken', name: 'Bearer token', primary: true },
        description: 'A provisioning token that an owner of the team created.',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
  };
}

/** Kinds of resources (RFC 7643, section 6). */
export function listResourceTypes(baseUrl: string) {
  const toType = (id: string, rest: { description: string; endpoint: string; schema: string }) => ({
    ...{ schemas: [TYPE_SCHEMA], id, name: id, ...rest },
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${id}` },
  });
  return [
    toType('User', { description: 'A user of the team.', endpoint: '/Users', schema: USER_SCHEMA }),
    toType('Group', { description: 'A group of users.', endpoint: '/Groups', schema: GROUP_SCHEMA }),
  ];
}
