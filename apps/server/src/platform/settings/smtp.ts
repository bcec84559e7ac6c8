import { parseHost } from './addresses.ts';

/**
 * implicit: TLS from the beginning; starttls: STARTTLS is required; optional: STARTTLS if the server offers it; none: no
 * encryption.
 */
export const TLS_MODES = ['implicit', 'starttls', 'optional', 'none'] as const;
export type TlsMode = (typeof TLS_MODES)[number];

export interface SmtpServer {
  host: string;
  port: number;
  tls: TlsMode;
  /** Undefined if the server requires no sign-in. */
  auth: { user: string; pass: string } | undefined;
}

const EXAMPLE = 'smtps://user:password@mail.example:465';
const SEPARATELY = 'or set SMTP_HOST, SMTP_USER and SMTP_PASSWORD instead';
const ENCODE = `in a user or password, write # as %23, / as %2F, ? as %3F, % as %25 and a blank as %20, ${SEPARATELY}`;
const IMPLICIT_TLS_PORT = 465;
const SUBMISSION_PORT = 587;

/** Parses SMTP_URL; the message of an error completes “SMTP_URL: …” and contains no part of the value. */
export function parseSmtpUrl(value: string): SmtpServer {
  const [, scheme = '', rest] = /^(smtps?):\/\/(.+)$/is.exec(value.trimStart()) ?? [];
  if (rest === undefined) throw new Error(`must be a URL that starts with smtp:// or smtps://, such as ${EXAMPLE}`);
  if (/\s/.test(value)) throw new Error(`must not contain blanks; ${ENCODE}`);
  const at = rest.lastIndexOf('@');
  const auth = at === -1 ? undefined : parseCredentials(rest.slice(0, at));
  const [, host = '', port, more] = /^(\[[^\]]*\]|[^:/?#]*)(?::([^/?#]*))?(.*)$/.exec(rest.slice(at + 1)) ?? [];
  if (more !== '' && more !== '/')
    throw new Error(`must end after the host and port, without a path, query or fragment, as ${EXAMPLE}; ${ENCODE}`);
  const tls = scheme.toLowerCase() === 'smtps' ? 'implicit' : 'optional';
  return { host: parseSmtpHost(host), port: port === undefined ? getPort(tls) : parsePort(port), tls, auth };
}

function parseCredentials(text: string): SmtpServer['auth'] {
  if (/[#/?]/.test(text)) throw new Error(`has a character before the @ that must be encoded: ${ENCODE}`);
  const [, user = '', pass = ''] = /^([^:]*):(.*)$/.exec(text) ?? [];
  if (user === '' || pass === '') throw new Error(`must contain both a user and a password, or neither, as ${EXAMPLE}`);
  try {
    const auth = { user: decodeURIComponent(user), pass: decodeURIComponent(pass) };
    if (!/\p{Cc}/u.test(auth.user + auth.pass)) return auth;
  } catch {
    throw new Error(`has a % that encodes nothing: ${ENCODE}`);
  }
  throw new Error('has a line end or another control character in the user or password');
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new Error(`must have a port from 1 to 65535, as ${EXAMPLE}; ${ENCODE}`);
  return port;
}

export function parseSmtpHost(value: string): string {
  const host = parseHost(value);
  if (host === undefined) throw new Error('must name a host, such as mail.example, without a scheme, port or blanks');
  return host;
}

interface Separate {
  host: string;
  port: number | undefined;
  user: string | undefined;
  password: string | undefined;
  tls: TlsMode | undefined;
}

/** The server of the variables SMTP_HOST, SMTP_PORT, SMTP_USER, SMTP_PASSWORD and SMTP_TLS. */
export function toSmtpServer({ host, port, user, password, tls }: Separate): SmtpServer {
  const mode = tls ?? (port === IMPLICIT_TLS_PORT ? 'implicit' : 'optional');
  const auth = user === undefined || password === undefined ? undefined : { user, pass: password };
  return { host, port: port ?? getPort(mode), tls: mode, auth };
}

function getPort(tls: TlsMode): number {
  return tls === 'implicit' ? IMPLICIT_TLS_PORT : SUBMISSION_PORT;
}
