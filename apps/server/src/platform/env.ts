import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { EMAIL_ENDINGS } from '@steward/contract/directory/fields';
import { z } from 'zod';
import { parseFilesUrl } from '#platform/blobs/files-url.ts';
import { isLoopbackHost } from '#platform/http/local.ts';
import { parseDnsServers, parsePublicUrl, parseSecurityContact } from '#platform/settings/addresses.ts';
import { parseAuditSink } from '#platform/settings/audit-sink.ts';
import { type MailAddress, parseMailFrom } from '#platform/settings/mail-from.ts';
import { type Fault, findFaults, type Given, isProduction } from '#platform/settings/production.ts';
import { parseSignUpSetting, type SignUpSetting } from '#platform/settings/sign-up.ts';
import { parseSmtpHost, parseSmtpUrl, type SmtpServer, TLS_MODES, toSmtpServer } from '#platform/settings/smtp.ts';
import { parseTrustProxy } from '#platform/settings/trust-proxy.ts';

const flag = z.enum(['0', '1']).transform((value) => value === '1');
const url = (protocols: string[]) =>
  z
    .string()
    .refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
      error: `must be a URL that starts with ${protocols.join('// or ')}//`,
    })
    // URL ignores them.
    .refine((value) => !/^\s|\s$/.test(value), { error: 'must not begin or end with a blank' });
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((value) => /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);

/** The message of an error that `parse` throws becomes the issue. */
const parsedBy = <T>(parse: (value: string) => T) =>
  z.string().transform((value, context) => {
    try {
      return parse(value);
    } catch (error) {
      context.addIssue((error as Error).message);
      return z.NEVER;
    }
  });

const secretKey = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, 'must be 64 hex digits')
  .optional();

const Variables = z.object({
  PORT: wholeNumber(0, 65_535).default(8065),
  HOST: z.string().min(1).optional(),
  PUBLIC_URL: parsedBy(parsePublicUrl).optional(),
  DATABASE_URL: url(['postgres:', 'postgresql:']).optional(),
  DATABASE_DIRECT_URL: url(['postgres:', 'postgresql:']).optional(),
  DATABASE_REPLICA_URL: url(['postgres:', 'postgresql:']).optional(),
  DATA_DIR: z.string().min(1).optional(),
  EMBEDDED_DB_USER: z.string().min(1).optional(),
  FILES_URL: parsedBy((value) => {
    parseFilesUrl(value);
    return value;
  }).optional(),
  SMTP_URL: parsedBy(parseSmtpUrl).optional(),
  SMTP_HOST: parsedBy(parseSmtpHost).optional(),
  SMTP_PORT: wholeNumber(1, 65_535).optional(),
  SMTP_USER: z.string().optional(),
  SMTP_PASSWORD: z.string().optional(),
  SMTP_TLS: z.enum(TLS_MODES).optional(),
  MAIL_FROM: parsedBy(parseMailFrom).optional(),
  SECRET_KEY: secretKey,
  SECRET_KEY_PREVIOUS: secretKey,
  PRODUCT_NAME: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^[^<>"'&\p{Cc}]+$/u, 'must not contain quotes, angle brackets, & or control characters')
    .default('Steward'),
  DEMO: flag.optional(),
  NODE_ENV: z.string().optional(),
  ALLOW_INSECURE: flag.default(false),
  SIGNUP: parsedBy(parseSignUpSetting).optional(),
  DIRECTORY_EMAIL_ENDINGS: z.enum(EMAIL_ENDINGS).default('short'),
  SECURITY_CONTACT: parsedBy(parseSecurityContact).optional(),
  ROLES: z
    .string()
    .default('web,worker')
    .transform((value) => value.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(['web', 'worker'])).min(1)),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
  TRUST_PROXY: parsedBy(parseTrustProxy).optional(),
  METRICS_TOKEN: z.string().min(16).optional(),
  AUDIT_SINK: parsedBy(parseAuditSink).optional(),
  AUDIT_SINK_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII characters without spaces')
    .optional(),
  HELPDESK_URL: url(['http:', 'https:'])
    .refine((value) => value.includes('{subdomain}'), 'must contain {subdomain}')
    .optional(),
  DNS_SERVERS: parsedBy(parseDnsServers).optional(),
  SSO_ALLOW_LOOPBACK: flag.default(false),
  LIMITS: z.enum(['on', 'off']).default('on'),
  DATABASE_POOL: wholeNumber(1, 200).default(10),
  DRAIN_SECONDS: z
    .string()
    .regex(/^(?:[0-7](?:\.\d+)?|8)$/, 'must be a number from 0 to 8')
    .transform(Number)
    .default(5),
  SESSION_IDLE_MINUTES: wholeNumber(1, 1440).default(60),
  SESSION_HOURS: wholeNumber(1, 24).default(24),
});

export const VARIABLES: readonly string[] = Object.keys(Variables.shape);

type Values = z.output<typeof Variables>;

type SmtpVariable = 'SMTP_URL' | 'SMTP_HOST' | 'SMTP_PORT' | 'SMTP_USER' | 'SMTP_PASSWORD' | 'SMTP_TLS';

export interface Env extends Omit<Values, 'SIGNUP' | 'DEMO' | 'MAIL_FROM' | SmtpVariable> {
  /** True without DATABASE_URL: the server runs its own PostgreSQL. */
  embedded: boolean;
  host: string;
  /** Base URL of links in emails; never taken from a request. */
  publicUrl: string;
  /** The mail server of SMTP_URL or SMTP_HOST; without one, email is captured. */
  smtp: SmtpServer | undefined;
  /** MAIL_FROM, or by default an address at the host of PUBLIC_URL. */
  mailFrom: MailAddress;
  /** DATA_DIR as an absolute path; undefined for the default. */
  dataDir: string | undefined;
  /** An empty workspace gets demo teams; never in production. */
  DEMO: boolean;
  /** SIGNUP, or by default open on a server for this machine only. */
  signUp: SignUpSetting;
  /** Risks that ALLOW_INSECURE=1 allows. */
  insecure: readonly string[];
}

/** Parses the environment; throws one error that lists all problems. An empty value counts as unset. */
export function parseEnv(source: NodeJS.ProcessEnv = process.env, repository: string = process.cwd()): Env {
  return toEnv(readVariables(source), repository);
}

/** Refuses unsafe production settings too, unless ALLOW_INSECURE=1. */
export function parseServerEnv(source: NodeJS.ProcessEnv = process.env, repository: string = process.cwd()): Env {
  const read = readVariables(source);
  const isMentioned = ({ variable }: Fault) => read.problems.some((problem) => problem.startsWith(`${variable}:`));
  const isAllowed = ({ allows }: Fault) => allows !== undefined && read.given.ALLOW_INSECURE === '1';
  const faults = read.faults.filter((fault) => !isMentioned(fault) && !isAllowed(fault));
  const problems = [...read.problems, ...faults.map(({ variable, problem }) => `${variable}: ${problem}`)];
  const advice = faults.some(({ allows }) => allows !== undefined) ? ADVICE : '';
  return toEnv({ ...read, problems }, repository, advice);
}

const ADVICE =
  '\nTo start without these safeguards, for a test on a machine that no one else can reach, set ALLOW_INSECURE=1.';

interface Reading {
  given: Given;
  values: Values | undefined;
  problems: readonly string[];
  faults: readonly Fault[];
}

function readVariables(source: NodeJS.ProcessEnv): Reading {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = Variables.safeParse(given);
  const withControls = VARIABLES.filter((name) => /\p{Cc}/u.test(given[name] ?? ''));
  const issues = parsed.error?.issues.filter(({ path }) => !withControls.includes(String(path[0]))) ?? [];
  const problems = [
    ...withControls.map((name) => `${name}: ${CONTROLS}`),
    ...issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...findSmtpProblems(given),
  ];
  if (given.DATABASE_URL && !given.SECRET_KEY)
    problems.push('SECRET_KEY: is required with DATABASE_URL (64 hex digits)');
  if (given.DATABASE_DIRECT_URL && !given.DATABASE_URL)
    problems.push('DATABASE_DIRECT_URL: requires DATABASE_URL, the address of the pooler');
  if (given.DATABASE_REPLICA_URL && !given.DATABASE_URL)
    problems.push('DATABASE_REPLICA_URL: requires DATABASE_URL, the address of the primary');
  if (parsed.success && parsed.data.LIMITS === 'off' && !isLoopbackHost(new URL(toPublicUrl(parsed.data)).hostname))
    problems.push('LIMITS: off is for measuring and requires a PUBLIC_URL on loopback');
  return { given, values: parsed.data, problems, faults: findFaults(given) };
}

const CONTROLS =
  'has a line end or another control character; write it on one line, in a file without Windows line ends';

function findSmtpProblems(given: Given): string[] {
  const separate = ['SMTP_HOST', 'SMTP_PORT', 'SMTP_USER', 'SMTP_PASSWORD', 'SMTP_TLS'].filter((name) => given[name]);
  const [first] = separate;
  if (given.SMTP_URL && first) return [`${first}: can't be used together with SMTP_URL; set one of the two`];
  if (first && !given.SMTP_HOST) return [`${first}: requires SMTP_HOST, the name of the mail server`];
  if (given.SMTP_USER && !given.SMTP_PASSWORD) return ['SMTP_USER: requires SMTP_PASSWORD'];
  if (given.SMTP_PASSWORD && !given.SMTP_USER) return ['SMTP_PASSWORD: requires SMTP_USER'];
  return [];
}

function toEnv({ given, values, problems, faults }: Reading, repository: string, advice = ''): Env {
  if (problems.length > 0 || values === undefined)
    throw new Error(`Invalid configuration:\n  ${problems.join('\n  ')}${advice}`);
  const { SIGNUP, DEMO, MAIL_FROM, SMTP_URL, SMTP_HOST, SMTP_PORT, SMTP_USER, SMTP_PASSWORD, SMTP_TLS, ...rest } =
    values;
  const embedded = values.DATABASE_URL === undefined;
  const dataDir = values.DATA_DIR ?? (existsSync(resolve(repository, 'var/data')) ? 'var/data' : undefined);
  const publicUrl = toPublicUrl(values);
  const isForThisMachine = isLoopbackHost(new URL(publicUrl).hostname);
  return {
    ...rest,
    embedded,
    host: values.HOST ?? (embedded ? '127.0.0.1' : '0.0.0.0'),
    publicUrl,
    smtp: SMTP_HOST
      ? toSmtpServer({ host: SMTP_HOST, port: SMTP_PORT, user: SMTP_USER, password: SMTP_PASSWORD, tls: SMTP_TLS })
      : SMTP_URL,
    mailFrom: MAIL_FROM ?? { name: values.PRODUCT_NAME, address: `no-reply@${getMailDomain(publicUrl)}` },
    dataDir: dataDir === undefined || isAbsolute(dataDir) ? dataDir : resolve(repository, dataDir),
    DEMO: !isProduction(given) && (DEMO ?? true),
    signUp: SIGNUP ?? { mode: isForThisMachine ? 'open' : 'off', domains: [] },
    insecure: values.ALLOW_INSECURE ? faults.flatMap(({ allows }) => allows ?? []) : [],
  };
}

function toPublicUrl({ PUBLIC_URL, PORT }: z.output<typeof Variables>): string {
  return PUBLIC_URL ?? `http://localhost:${PORT}`;
}

/** Addresses at localhost or at an IP address are of no use. */
function getMailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return hostname.includes('.') && isIP(hostname) === 0 ? hostname : 'steward.localhost';
}
