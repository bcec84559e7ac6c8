import type { AccessToken, Account, Login } from '../model.ts';
import { type Answer, badToken, notAuthenticated } from '../responses.ts';

/** The caller: anonymous, or a user, possibly limited by the scopes of a token. */
export interface Caller {
  person?: Login;
  access?: AccessToken;
}

/** Wrong credentials aren't always refused: a wrong password counts as none. */
export function authenticate(account: Account, header: string | undefined, now: number): Caller | Answer {
  if (header === undefined) return {};
  const [scheme = '', value = ''] = header.split(/ +/);
  if (/^bearer$/i.test(scheme)) return byAccessToken(account, value, now);
  if (!/^basic$/i.test(scheme)) return notAuthenticated();
  const pair = Buffer.from(value, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const login = pair.slice(0, Math.max(0, colon));
  const secret = pair.slice(colon + 1);
  return login.endsWith('/token')
    ? byToken(account, login.slice(0, -'/token'.length), secret)
    : byPassword(account, login, secret);
}

/** With token access off, tokens are ignored. */
function byToken(account: Account, email: string, secret: string): Caller | Answer {
  if (!account.settings.token_access) return {};
  const token = account.tokens.find((each) => each.token === secret);
  const person = getPerson(account, email);
  if (token?.state !== 'active' || !person?.verified) return notAuthenticated();
  return { person };
}

function byPassword(account: Account, email: string, secret: string): Caller {
  const person = getPerson(account, email);
  const right = account.settings.password_access && person?.verified && person.password === secret;
  return right ? { person } : {};
}

function byAccessToken(account: Account, value: string, now: number): Caller | Answer {
  const access = account.accessTokens.find(({ token }) => token === value);
  const person = account.people.find(({ id }) => id === access?.user_id);
  if (!access || !person || (access.expires_at ?? Infinity) <= now) return badToken();
  return { person, access };
}

function getPerson(account: Account, email: string): Login | undefined {
  return account.people.find((person) => person.email.toLowerCase() === email.toLowerCase());
}

/** Without a token there is no limit of scopes. */
export function reaches({ access }: Caller, scope: string): boolean {
  if (!access) return true;
  const broad = scope.slice(scope.indexOf(':') + 1);
  return access.usable && (access.scopes.includes(scope) || access.scopes.includes(broad));
}

/** Any full agent may read triggers. */
export function mayUse({ person }: Caller, scope: string): boolean {
  if (!person?.active || person.suspended) return false;
  const [what] = scope.split(':');
  if (person.role === 'admin' || person.manages.some((managed) => managed === what)) return true;
  return scope === 'triggers:read' && person.role === 'agent' && person.role_type !== 1;
}
