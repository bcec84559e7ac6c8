import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id, text } from '../api/fields.ts';
import { GROUP_ROLES_MAX, SSO_NAME_MAX } from '../api/limits.ts';

const TeamParams = z.object({ teamId: Id });

/** Roles that an identity provider can give. It never makes anyone an owner. */
export const SsoRole = z.enum(['team_user', 'team_admin'], 'must be team_user or team_admin');
export type SsoRole = z.infer<typeof SsoRole>;

export const SsoSettings = z.object({
  /** Name of the provider for its users. */
  name: text(SSO_NAME_MAX).trim().min(1, 'is required'),
  issuer: text(500).trim().min(1, 'is required'),
  /** '' until the provider has given one. */
  client_id: text(500).trim().default(''),
  /** No response contains it. If it is absent, the stored one is kept. */
  client_secret: text(2_000).trim().min(1, 'must not be empty').optional(),
  enabled: z.boolean().default(false),
  /** True if the team can be opened only by single sign-on. */
  required: z.boolean().default(false),
  /** True if users with an address of a verified domain join the team at their first sign-in. */
  jit: z.boolean().default(false),
  default_role: SsoRole.default('team_user'),
  /** Name of the claim that lists groups; '' for none. */
  group_claim: text(200).trim().default(''),
  group_roles: z
    .record(text(200).trim().min(1, 'must not be empty'), SsoRole)
    .refine((roles) => Object.keys(roles).length <= GROUP_ROLES_MAX, `must have at most ${GROUP_ROLES_MAX} groups`)
    .default({}),
});
export type SsoSettings = z.infer<typeof SsoSettings>;

/** Without a connection, `id` is null and the rest is empty. */
export const SsoConnection = z.object({
  id: Id.nullable(),
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  has_secret: z.boolean(),
  enabled: z.boolean(),
  required: z.boolean(),
  jit: z.boolean(),
  default_role: SsoRole,
  group_claim: z.string(),
  group_roles: z.record(z.string(), SsoRole),
  /** Addresses to enter at the provider; '' without a connection. */
  redirect_uri: z.string(),
  logout_uri: z.string(),
  /** The last successful test sign-in with these settings, in milliseconds. */
  tested_at: z.int().nullable(),
  /** True if an owner with a second factor is named to open the team when the provider is down. */
  has_break_glass: z.boolean(),
});
export type SsoConnection = z.infer<typeof SsoConnection>;

/** Only for owners. */
export const getSso = endpoint({
  name: 'getSso',
  method: 'GET',
  path: '/admin/teams/:teamId/sso',
  summary: 'Get the single sign-on settings of the team.',
  params: TeamParams,
  answer: SsoConnection,
});

/**
 * Creates or changes the connection. With another issuer it becomes a new connection, with another id, switched off and without
 * links. With another client or secret it must be tested again before it can be switched on.
 */
export const saveSso = endpoint({
  name: 'saveSso',
  method: 'POST',
  path: '/admin/teams/:teamId/sso',
  summary: 'Save the single sign-on settings of the team.',
  params: TeamParams,
  body: SsoSettings,
  answer: SsoConnection,
});

/** Removes the connection and its links, and ends the sessions that began with it. */
export const removeSso = endpoint({
  name: 'removeSso',
  method: 'DELETE',
  path: '/admin/teams/:teamId/sso',
  summary: 'Remove single sign-on from the team.',
  params: TeamParams,
  answer: Done,
});

export const SsoCheck = z.object({ name: z.string(), ok: z.boolean(), message: z.string() });
export type SsoCheck = z.infer<typeof SsoCheck>;

/** Checks the provider's published configuration. There is no sign-in, and nothing changes. */
export const testSso = endpoint({
  name: 'testSso',
  method: 'POST',
  path: '/admin/teams/:teamId/sso/test',
  summary: "Check the identity provider's configuration.",
  params: TeamParams,
  answer: z.object({ checks: z.array(SsoCheck) }),
});
