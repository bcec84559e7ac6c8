import { z } from 'zod';
import type { Env } from '#platform/env.ts';
import {
  type Budget,
  callHelpdesk,
  type HelpdeskRequest,
  type HelpdeskResponse,
  NoResponse,
  secondsToWait,
  type Target,
  toTarget,
} from './helpdesk.client.ts';
import type { Login } from './login.ts';
import { type FailureKind, parseVendorError, type VendorError, VendorFailure } from './vendor-failure.ts';

/** A connection to a Zendesk account with a login, for the duration of a change. */
export interface Zendesk {
  login: Login;
  target: Target;
  budget: Budget;
  /** The OAuth access token, once requested. */
  access: string | undefined;
}

/** Opens a connection. Sends nothing yet. */
export function openZendesk(env: Pick<Env, 'HELPDESK_URL'>, login: Login, budget: Budget): Zendesk {
  return { login, target: toTarget(env, login.domain), budget, access: undefined };
}

/** The subject of a call, for its error message. */
type About = 'sign-in' | 'rights' | 'trigger' | 'other';

export interface ZendeskRequest {
  method: HelpdeskRequest['method'];
  path: string;
  body?: unknown;
  about?: About;
  /** True if it can be retried even if it may have been processed: everything but creating. */
  repeatable?: boolean;
}

export async function requestJson<T>(zendesk: Zendesk, request: ZendeskRequest, schema: z.ZodType<T>): Promise<T> {
  const { text } = await send(zendesk, request);
  return parseResponse(text, schema);
}

/** Returns undefined if the object no longer exists. */
export async function requestOptional<T>(
  zendesk: Zendesk,
  request: ZendeskRequest,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  try {
    return await requestJson(zendesk, request, schema);
  } catch (error) {
    if (error instanceof VendorFailure && error.kind === 'gone') return undefined;
    throw error;
  }
}

/** Sends a request and ignores the response. Deleting an object that no longer exists succeeds. */
export async function sendRequest(zendesk: Zendesk, request: ZendeskRequest): Promise<void> {
  try {
    await send(zendesk, request);
  } catch (error) {
    if (!(request.method === 'DELETE' && error instanceof VendorFailure && error.kind === 'gone')) throw error;
  }
}

async function send(zendesk: Zendesk, request: ZendeskRequest): Promise<HelpdeskResponse> {
  const response = await callAuthorized(zendesk, request);
  if (response.status !== 401 || zendesk.login.authentication !== 3) return checked(zendesk, request, response);
  // The access token may have expired. If a new one is refused too, the client itself is.
  zendesk.access = undefined;
  return checked(zendesk, request, await callAuthorized(zendesk, request));
}

async function callAuthorized(
  zendesk: Zendesk,
  { method, path, body, repeatable = method !== 'POST' }: ZendeskRequest,
) {
  const authorization = await getAuthorizationHeader(zendesk);
  return callZendesk(zendesk, { method, path, body, repeatable, headers: { authorization } });
}

async function callZendesk(zendesk: Zendesk, request: HelpdeskRequest): Promise<HelpdeskResponse> {
  try {
    return await callHelpdesk(zendesk.target, request, zendesk.budget);
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    throw new VendorFailure('unreachable', UNREACHABLE);
  }
}

const UNREACHABLE = "Zendesk couldn't be reached. Nothing was changed.";
const UNREADABLE = 'Zendesk sent an unreadable response. Nothing was changed.';
const PASSWORDS_ENDED =
  ' Zendesk has ended sign-in by password for connections like this one: use an API token or an OAuth client.';

async function getAuthorizationHeader(zendesk: Zendesk): Promise<string> {
  const { username, authentication, secret } = zendesk.login;
  if (authentication === 3) {
    zendesk.access ??= await fetchAccessToken(zendesk);
    return `Bearer ${zendesk.access}`;
  }
  const pair = authentication === 1 ? `${username}:${secret.password}` : `${username}/token:${secret.token}`;
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
}

const SCOPES = ['webhooks:read', 'webhooks:write', 'triggers:read', 'triggers:write', 'users:read'];
/** Lifetime of an access token: longer than any change; Zendesk's minimum is over 300. */
const ACCESS_SECONDS = 600;
const Granted = z.object({ access_token: z.string().min(1).max(4_000), scope: z.string().optional() });

/** Requests an access token. Client credentials have no refresh tokens, so each change requests its own. */
async function fetchAccessToken(zendesk: Zendesk): Promise<string> {
  const { client_id, client_secret } = zendesk.login.secret;
  const body = {
    grant_type: 'client_credentials',
    client_id,
    client_secret,
    scope: SCOPES.join(' '),
    expires_in: ACCESS_SECONDS,
  };
  const request = { method: 'POST', path: '/oauth/tokens', body, repeatable: true } as const;
  const { text } = checked(zendesk, { ...request, about: 'sign-in' }, await callZendesk(zendesk, request));
  const { access_token, scope } = parseResponse(text, Granted);
  const granted = scope?.split(/[ ,]+/) ?? SCOPES;
  const lacking = SCOPES.filter((name) => !granted.includes(name) && !granted.includes(name.replace(/^.*:/, '')));
  if (lacking.length > 0)
    throw new VendorFailure('forbidden', `This OAuth client lacks the scopes ${lacking.join(', ')}.`);
  return access_token;
}

function parseResponse<T>(text: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new VendorFailure('unreachable', UNREADABLE);
  }
  const read = schema.safeParse(value);
  if (!read.success) throw new VendorFailure('unreachable', UNREADABLE);
  return read.data;
}

function checked(zendesk: Zendesk, request: ZendeskRequest, response: HelpdeskResponse): HelpdeskResponse {
  if (response.status >= 200 && response.status < 300) return response;
  const [kind, text] = toFailure(zendesk, request, response);
  throw new VendorFailure(kind, withoutSecrets(text, zendesk.login));
}

function toFailure(
  { login }: Zendesk,
  { about = 'other' }: ZendeskRequest,
  response: HelpdeskResponse,
): [FailureKind, string] {
  const { status, headers } = response;
  const error = parseVendorError(response.text);
  if (status === 429) {
    const seconds = Math.max(1, secondsToWait(headers['retry-after']) ?? 60);
    return ['limited', `Zendesk is limiting requests. Try again in ${seconds} seconds.`];
  }
  if (status >= 500) return ['unreachable', UNREACHABLE];
  if (status === 404) return toMissingFailure(login, error);
  if (status === 401 || (status === 400 && error.code === 'invalid_client'))
    return ['credentials', credentialsRejectedMessage(login)];
  if (status === 403 && error.isJson && (about === 'rights' || error.title === '' || error.title === 'Forbidden'))
    return ['forbidden', MAY_NOT];
  if (status === 422 && about === 'trigger')
    return [
      'invalid',
      `Zendesk rejected the trigger: ${error.details.join(' ') || error.title || 'no reason was given'}`,
    ];
  return ['refused', `Zendesk refused the request: ${error.title || `status ${status}`}`];
}

export const MAY_NOT = 'This Zendesk user may not manage webhooks and triggers. Use an administrator.';

function toMissingFailure({ domain }: Login, { code, title }: VendorError): [FailureKind, string] {
  if (/^no help desk at/i.test(title)) return ['no_account', `No Zendesk account exists at ${domain}.zendesk.com.`];
  if (code === 'InvalidEndpoint') return ['not_offered', 'This Zendesk plan does not offer webhooks or triggers.'];
  return ['gone', 'The webhook or trigger no longer exists in Zendesk. Try again.'];
}

export function credentialsRejectedMessage({ authentication }: Pick<Login, 'authentication'>): string {
  if (authentication === 1) return `Zendesk did not accept this email and password.${PASSWORDS_ENDED}`;
  if (authentication === 2) return 'Zendesk did not accept this email and token.';
  return 'Zendesk did not accept this client id and client secret.';
}

/** Removes credentials that Zendesk repeats in its response. */
function withoutSecrets(text: string, { secret }: Login): string {
  const secrets = [secret.password, secret.token, secret.client_secret].filter((value) => value !== undefined);
  return secrets.reduce((line, value) => (value.length < 4 ? line : line.replaceAll(value, '[removed]')), text);
}
