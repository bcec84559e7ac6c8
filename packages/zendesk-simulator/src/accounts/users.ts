import type { Call, Route } from '../call.ts';
import type { Account, Login } from '../model.ts';
import { forbidden, instant, json } from '../responses.ts';
import { reaches } from './auth.ts';

/** The caller. Anonymous callers get a user without an id, so checking only for status 200 is not enough. */
export const USER_ROUTES: Route[] = [{ method: 'GET', path: 'users/me', scope: 'users:read', open: true, run: me }];

function me({ account, caller, base }: Call) {
  if (!caller.person) return json(200, { user: { name: 'Anonymous user', id: null } });
  if (!reaches(caller, 'users:read')) return forbidden();
  return json(200, { user: shown(caller.person, account, base) });
}

function shown(person: Login, account: Account, base: string) {
  return {
    id: person.id,
    url: `${base}/api/v2/users/${person.id}.json`,
    name: person.name,
    email: person.email,
    created_at: instant(0),
    updated_at: instant(0),
    time_zone: person.time_zone,
    iana_time_zone: person.time_zone,
    phone: person.phone ?? null,
    shared_phone_number: null,
    photo: null,
    locale_id: 1,
    locale: person.locale,
    organization_id: person.organization?.id ?? null,
    role: person.role,
    verified: person.verified,
    authenticity_token: 'simulated',
    external_id: person.external_id ?? null,
    tags: person.tags ?? [],
    alias: null,
    active: person.active,
    shared: false,
    shared_agent: false,
    last_login_at: instant(0),
    two_factor_auth_enabled: null,
    signature: person.signature ?? null,
    details: person.details ?? null,
    notes: person.notes ?? null,
    role_type: person.role_type,
    custom_role_id: person.role_type === null ? null : 6_130_869_130_000 + person.role_type,
    moderator: person.role === 'admin',
    ticket_restriction: person.role === 'end-user' ? 'requested' : null,
    only_private_comments: person.role_type === 1,
    restricted_agent: person.role !== 'admin',
    suspended: person.suspended,
    default_group_id: person.role === 'end-user' ? null : account.groups[0]?.id,
    report_csv: person.role === 'admin',
    user_fields: {},
  };
}
