import { type Authentication, connectIntegration, type IntegrationDetail } from '@steward/contract/integrations';
import { collectErrors, type FieldErrors, type Labels, toFieldErrors } from '#platform/api/field-errors.ts';
import type { CredentialBody } from '../sign-in-form.tsx';

/** The values of one sign-in method are kept while another one is selected. */
export interface CredentialValues {
  domain: string;
  by: 'user' | 'client';
  is_token: boolean;
  username: string;
  password: string;
  token: string;
  client_id: string;
  client_secret: string;
}

const NO_SECRETS = { password: '', token: '', client_id: '', client_secret: '' };

/**
 * The server never sends secrets. A new connection starts with an OAuth client: Zendesk has retired passwords for most accounts and ends
 * API tokens in April 2027.
 */
export function getFormValues(
  stored: Pick<IntegrationDetail, 'enabled' | 'domain' | 'username' | 'authentication'> | undefined,
): CredentialValues {
  const { enabled = false, domain = '', username = '', authentication = 2 } = stored ?? {};
  return {
    domain,
    by: enabled && authentication !== 3 ? 'user' : 'client',
    is_token: authentication !== 1,
    username,
    ...NO_SECRETS,
  };
}

function getAuthentication({ by, is_token }: CredentialValues): Authentication {
  if (by === 'client') return 3;
  return is_token ? 2 : 1;
}

/** The body has only the secrets of the selected sign-in method. */
export function toRequestBody(values: CredentialValues): CredentialBody {
  const authentication = getAuthentication(values);
  const domain = normalizeDomain(values.domain);
  if (authentication === 3) {
    const [client_id, client_secret] = [values.client_id.trim(), values.client_secret.trim()];
    return { domain, username: '', authentication, client_id, client_secret };
  }
  const known = { domain, username: values.username.trim(), authentication };
  // A password may start or end with a space; a pasted token often ends with a line break.
  return authentication === 1 ? { ...known, password: values.password } : { ...known, token: values.token.trim() };
}

type Field = Exclude<keyof CredentialValues, 'by' | 'is_token'>;

const LABELS: Labels<Field> = {
  domain: 'The domain',
  username: 'The email',
  password: 'The password',
  token: 'The API token',
  client_id: 'The client id',
  client_secret: 'The client secret',
};

const NO_DOMAIN = 'This is not the name of a Zendesk account, such as acme in acme.zendesk.com.';
const NO_EMAIL = 'This is not an email address.';

export function validateCredentials(values: CredentialValues): FieldErrors<Field> {
  const body = toRequestBody(values);
  const errors = collectErrors(connectIntegration.body?.safeParse(body).error?.issues ?? [], LABELS);
  for (const field of Object.keys(LABELS) as Field[]) {
    const isNeeded = field in body && !(field === 'username' && body.authentication === 3);
    if (isNeeded && body[field] === '') errors[field] = `${LABELS[field]} is required.`;
  }
  if (!isDomain(body.domain)) errors.domain ??= NO_DOMAIN;
  if (body.authentication !== 3 && !/^[^\s:@]+@[^\s:@]+$/.test(body.username)) errors.username ??= NO_EMAIL;
  return errors;
}

export function toCredentialErrors({ id, message }: { id: string; message: string }): FieldErrors<Field> {
  if (id === 'helpdesk.bad_domain') return { domain: message };
  const errors = toFieldErrors(message, LABELS);
  return errors.username?.includes('is not an email') ? { ...errors, username: NO_EMAIL } : errors;
}

const SUBDOMAIN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const ADDRESS = /^(?:https:\/\/)?([a-z0-9-]{1,63})\.zendesk\.com(?:[/?#].*)?$/i;

/** The input can be a Zendesk host name or URL; other text is only trimmed and lowercased. */
export function normalizeDomain(typed: string): string {
  const text = typed.trim();
  return (ADDRESS.exec(text)?.[1] ?? text).toLowerCase();
}

/** A pasted URL is reduced to its subdomain; typed text is not changed. */
export function applyEnteredDomain(before: string, entered: string): string {
  return entered.length > before.length + 1 && ADDRESS.test(entered.trim()) ? normalizeDomain(entered) : entered;
}

/** Only Zendesk knows if the subdomain exists. */
export function isDomain(plain: string): boolean {
  return SUBDOMAIN.test(plain);
}
