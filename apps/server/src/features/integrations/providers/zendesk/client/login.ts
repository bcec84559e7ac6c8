import type { Authentication } from '@steward/contract/integrations';
import { z } from 'zod';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { opened, seal } from '#workspace/integrations/integration-health.ts';
import type { TypedCredentials } from '../../provider.ts';
import { parseSubdomain } from './domain.rules.ts';

const Secret = z.object({
  password: z.string().optional(),
  token: z.string().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
});
type Secret = z.infer<typeof Secret>;

/** This is only ever sent to Zendesk itself. */
export interface Login {
  domain: string;
  username: string;
  authentication: Authentication;
  secret: Secret;
}

const BAD_DOMAIN = 'Enter the name of a Zendesk account, such as acme in acme.zendesk.com.';

/**
 * Merges a form with the stored login. A stored secret is kept only for the same domain and the same way to sign in.
 */
export function mergeLogin(form: TypedCredentials, stored?: Login): Login {
  const typed = form.domain === undefined ? stored?.domain : parseSubdomain(form.domain);
  const domain = typed ?? refuse('helpdesk.bad_domain', BAD_DOMAIN);
  const authentication = form.authentication ?? stored?.authentication ?? 2;
  const keeps = stored?.domain === domain && stored.authentication === authentication;
  const kept: Secret = keeps ? stored.secret : {};
  const secret = toSecret(form, authentication, kept);
  const username = (form.username ?? stored?.username ?? '').trim().normalize('NFC');
  if (authentication !== 3 && username === '') refuse('helpdesk.missing_credential', 'Enter the email.');
  // In Basic authentication a colon ends the user name.
  if (authentication !== 3 && !/^[^\s:@\p{Cc}]+@[^\s:@\p{Cc}]+$/u.test(username))
    refuse('request.invalid', 'username: is not an email address');
  return { domain, username, authentication, secret };
}

function toSecret(form: TypedCredentials, authentication: Authentication, kept: Secret): Secret {
  // Pasted tokens often end with a space or a line break; a password may legitimately contain spaces.
  const pasted = (name: 'token' | 'client_id' | 'client_secret') => form[name]?.trim() || kept[name];
  if (authentication === 1) return { password: form.password || kept.password || missing('Enter the password.') };
  if (authentication === 2) return { token: pasted('token') ?? missing('Enter the API token.') };
  return {
    client_id: pasted('client_id') ?? missing('Enter the client ID.'),
    client_secret: pasted('client_secret') ?? missing('Enter the client secret.'),
  };
}

function missing(text: string): never {
  refuse('helpdesk.missing_credential', text);
}

export function changesLogin(
  form: TypedCredentials,
  stored: Pick<Login, 'domain' | 'username' | 'authentication'>,
): boolean {
  if (form.password || form.token || form.client_id || form.client_secret) return true;
  const { domain, username, authentication } = form;
  return (
    (domain !== undefined && parseSubdomain(domain) !== stored.domain) ||
    (username !== undefined && username.trim().normalize('NFC') !== stored.username) ||
    (authentication !== undefined && authentication !== stored.authentication)
  );
}

/** Objects of ours at Zendesk that are no longer needed, or not yet. They are removed as soon as possible. */
export const Leftover = z.object({
  login: z.object({
    domain: z.string(),
    username: z.string(),
    authentication: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    secret: Secret,
  }),
  endpoint: z.string(),
  webhook_id: z.string().nullable(),
  trigger_ids: z.array(z.string()),
});
export type Leftover = z.infer<typeof Leftover>;

/** The sealed credentials: the login's secret, empty until a connection has succeeded, and the leftovers to remove. */
const Credentials = z.object({ secret: Secret, leftovers: z.array(Leftover) });
export type Credentials = z.infer<typeof Credentials>;

export function sealCredentials(deps: Pick<Deps, 'secrets'>, credentials: Credentials): string {
  return seal(deps, JSON.stringify(credentials));
}

export function unsealCredentials(deps: Pick<Deps, 'secrets'>, text: string | null): Credentials | undefined {
  const json = opened(deps, text);
  return json === undefined ? undefined : Credentials.parse(JSON.parse(json));
}
