import { z } from 'zod';
import type { Env } from '#platform/env.ts';
import {
  type Budget,
  callHelpdesk,
  type HelpdeskRequest,
  type HelpdeskResponse,
  Silence,
  secondsToWait,
  type Target,
  toTarget,
} from './helpdesk.client.ts';
import type { Login } from './login.ts';
import { type FailureKind, parseVendorError, type VendorError, VendorFailure } from './vendor-failure.ts';

/** A Zendesk account that we speak with as somebody, for as long as a change lasts. */
export interface Zendesk {
  login: Login;
  target: Target;
  budget: Budget;
  /** The access token that OAuth gave, once it was asked for. */
  access: string | undefined;
}

/** Nothing is sent yet. */
export function openZendesk(env: Pick<Env, 'HELPDESK_URL'>, login: Login, budget: Budget): Zendesk {
  return { login, target: toTarget(env, login.domain), budget, access: undefined };
}

/** What a call is about, for the words of its failure. */
type About = 'sign-in' | 'rights' | 'trigger' | 'other';

export interface Ask {
  method: HelpdeskRequest['method'];
  path: string;
  body?: unknown;
  about?: About;
  /** Whether it is tried again where it may have been done; all but creating bears that. */
  repeatable?: boolean;
}

/** A call whose answer is read by `schema`. */
export async function ask<T>(zendesk: Zendesk, asked: Ask, schema: z.ZodType<T>): Promise<T> {
  const { text } = await send(zendesk, asked);
  return parseResponse(text, schema);
}

/** The same where the thing may be gone: undefined then. */
export async function requestOptional<T>(zendesk: Zendesk, asked: Ask, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return await ask(zendesk, asked, schema);
  } catch (error) {
    if (error instanceof VendorFailure && error.kind === 'gone') return undefined;
    throw error;
  }
}

/** A call of which only matters that it is done. What is to be removed and is gone already is done. */
export async function tell(zendesk: Zendesk, asked: Ask): Promise<void> {
  try {
    await send(zendesk, asked);
  } catch (error) {
    if (!(asked.method === 'DELETE' && error instanceof VendorFailure && error.kind === 'gone')) throw error;
  }
}

async function send(zendesk: Zendesk, asked: Ask): Promise<HelpdeskResponse> {
  const answer = await signed(zendesk, asked);
  if (answer.status !== 401 || zendesk.login.authentication !== 3) return checked(zendesk, asked, answer);
  // The access token may have ended meanwhile; a second refusal is the client's.
  zendesk.access = undefined;
  return checked(zendesk, asked, await signed(zendesk, asked));
}

async function signed(zendesk: Zendesk, { method, path, body, repeatable = method !== 'POST' }: Ask) {
  const authorization = await getAuthorizationHeader(zendesk);
  return vendorError(zendesk, { method, path, body, repeatable, headers: { authorization } });
}

/** Calls, and has silence speak. */
async function vendorError(zendesk: Zendesk, request: HelpdeskRequest): Promise<HelpdeskResponse> {
  try {
    return await callHelpdesk(zendesk.target, request, zendesk.budget);
  } catch (error) {
    if (!(error instanceof Silence)) throw error;
    throw new VendorFailure('unreachable', UNREACHABLE);
  }
}

const UNREACHABLE = 'Zendesk could not be reached; nothing was changed.';
const UNREADABLE = 'Zendesk gave an answer that cannot be read; nothing was changed.';
const PASSWORDS_ENDED =
  ' Zendesk has ended sign-in by password for connections like this one: use an API token or an OAuth client.';

async function getAuthorizationHeader(zendesk: Zendesk): Promise<string> {
  const { username, authentication, secret } = zendesk.login;
  if (authentication === 3) {
    zendesk.access ??= await grantedAccess(zendesk);
    return `Bearer ${zendesk.access}`;
  }
  const pair = authentication === 1 ? `${username}:${secret.password}` : `${username}/token:${secret.token}`;
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
}

const SCOPES = ['webhooks:read', 'webhooks:write', 'triggers:read', 'triggers:write', 'users:read'];
/** Seconds that an access token lives: longer than any change of ours; the vendor wants more than 300. */
const ACCESS_SECONDS = 600;
const Granted = z.object({ access_token: z.string().min(1).max(4_000), scope: z.string().optional() });

/** Asks for an access token; there is no refreshing with client credentials, each change asks for one of its own. */
async function grantedAccess(zendesk: Zendesk): Promise<string> {
  const { client_id, client_secret } = zendesk.login.secret;
  const body = {
    grant_type: 'client_credentials',
    client_id,
    client_secret,
    scope: SCOPES.join(' '),
    expires_in: ACCESS_SECONDS,
  };
  const request = { method: 'POST', path: '/oauth/tokens', body, repeatable: true } as const;
  const asked = { ...request, about: 'sign-in' } as const;
  const { text } = checked(zendesk, asked, await vendorError(zendesk, request));
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

function checked(zendesk: Zendesk, asked: Ask, answer: HelpdeskResponse): HelpdeskResponse {
  if (answer.status >= 200 && answer.status < 300) return answer;
  const [kind, text] = toFailure(zendesk, asked, answer);
  throw new VendorFailure(kind, withoutSecrets(text, zendesk.login));
}

function toFailure({ login }: Zendesk, { about = 'other' }: Ask, answer: HelpdeskResponse): [FailureKind, string] {
  const { status, headers } = answer;
  const said = parseVendorError(answer.text);
  if (status === 429) {
    const seconds = Math.max(1, secondsToWait(headers['retry-after']) ?? 60);
    return ['limited', `Zendesk is limiting requests; try again in ${seconds} seconds.`];
  }
  if (status >= 500) return ['unreachable', UNREACHABLE];
  if (status === 404) return toMissingFailure(login, said);
  if (status === 401 || (status === 400 && said.code === 'invalid_client'))
    return ['credentials', credentialsRejectedMessage(login)];
  if (status === 403 && said.isJson && (about === 'rights' || said.title === '' || said.title === 'Forbidden'))
    return ['forbidden', MAY_NOT];
  if (status === 422 && about === 'trigger')
    return [
      'invalid',
      `Zendesk rejected the trigger: ${said.details.join(' ') || said.title || 'no reason was given'}`,
    ];
  return ['refused', `Zendesk refused the request: ${said.title || `status ${status}`}`];
}

export const MAY_NOT = 'This Zendesk user may not manage webhooks and triggers. Use an administrator.';

function toMissingFailure({ domain }: Login, { code, title }: VendorError): [FailureKind, string] {
  if (/^no help desk at/i.test(title)) return ['no_account', `No Zendesk account exists at ${domain}.zendesk.com.`];
  if (code === 'InvalidEndpoint') return ['not_offered', 'This Zendesk plan does not offer webhooks or triggers.'];
  return ['gone', 'What was set up in Zendesk is not there any more. Please try again.'];
}

/** Nobody is signed in with these credentials. */
export function credentialsRejectedMessage({ authentication }: Pick<Login, 'authentication'>): string {
  if (authentication === 1) return `Zendesk did not accept this email and password.${PASSWORDS_ENDED}`;
  if (authentication === 2) return 'Zendesk did not accept this email and token.';
  return 'Zendesk did not accept this client id and client secret.';
}

/** What the vendor repeats of our credentials goes no further. */
function withoutSecrets(text: string, { secret }: Login): string {
  const secrets = [secret.password, secret.token, secret.client_secret].filter((value) => value !== undefined);
  return secrets.reduce((line, value) => (value.length < 4 ? line : line.replaceAll(value, '[removed]')), text);
}
