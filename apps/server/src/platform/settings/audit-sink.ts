import { isLoopbackHost } from '#platform/http/local.ts';

export type AuditSinkSetting =
  | {
      kind: 'https';
      url: string;
      /** Basic credentials from the user and password of the URL. */
      authorization: string | undefined;
    }
  | { kind: 'syslog'; host: string; port: number; isEncrypted: boolean };

const SYSLOG_PORT = 601;
const SYSLOG_TLS_PORT = 6514;

/** Parses AUDIT_SINK; the message of an error completes “AUDIT_SINK: …”. */
export function parseAuditSink(value: string): AuditSinkSetting {
  if (!URL.canParse(value)) throw new Error('must be a URL that starts with https://, syslog+tls:// or syslog://');
  const url = new URL(value);
  switch (url.protocol) {
    case 'https:':
      return toHttps(url);
    case 'http:':
      if (isLoopbackHost(url.hostname)) return toHttps(url);
      throw new Error('must use https, unless its host is on loopback');
    case 'syslog:':
    case 'syslog+tls:':
      return toSyslog(url);
    default:
      throw new Error('must start with https://, syslog+tls:// or syslog://');
  }
}

function toHttps(url: URL): AuditSinkSetting {
  const { username, password } = url;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  Object.assign(url, { username: '', password: '', hash: '' });
  const authorization = credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  return { kind: 'https', url: url.href, authorization };
}

function toSyslog(url: URL): AuditSinkSetting {
  const isEncrypted = url.protocol === 'syslog+tls:';
  const isPlain = url.username === '' && url.search === '' && (url.pathname === '' || url.pathname === '/');
  if (url.hostname === '' || !isPlain)
    throw new Error('must have only a host and a port, such as syslog+tls://logs.example:6514');
  const port = url.port === '' ? (isEncrypted ? SYSLOG_TLS_PORT : SYSLOG_PORT) : Number(url.port);
  return { kind: 'syslog', host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port, isEncrypted };
}
