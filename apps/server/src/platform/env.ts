import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { parseFilesUrl } from '#platform/blobs/files-url.ts';
import { isLoopbackHost } from '#platform/http/local.ts';

const flag = z.enum(['0', '1']).transform((value) => value === '1');
const url = (protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be a URL that starts with ${protocols.join('// or ')}//`,
  });

const secretKey = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, 'must be 64 hex digits')
  .optional();

const Variables = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(8065),
  HOST: z.string().min(1).optional(),
  PUBLIC_URL: url(['http:', 'https:'])
    .transform((value) => value.replace(/\/+$/, ''))
    .optional(),
  DATABASE_URL: url(['postgres:', 'postgresql:']).optional(),
  DATA_DIR: z.string().min(1).optional(),
  EMBEDDED_DB_USER: z.string().min(1).optional(),
  FILES_URL: z
    .string()
    .superRefine((value, context) => {
      try {
        parseFilesUrl(value);
      } catch (error) {
        context.addIssue((error as Error).message);
      }
    })
    .optional(),
  SMTP_URL: url(['smtp:', 'smtps:']).optional(),
  MAIL_FROM: z.string().min(3).default('Steward <no-reply@steward.localhost>'),
  SECRET_KEY: secretKey,
  SECRET_KEY_PREVIOUS: secretKey,
  PRODUCT_NAME: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^[^<>"'&\p{Cc}]+$/u, 'must not contain quotes, angle brackets, & or control characters')
    .default('Steward'),
  DEMO: flag.default(true),
  ROLES: z
    .string()
    .default('web,worker')
    .transform((value) => value.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(['web', 'worker'])).min(1)),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  TRUST_PROXY: z.string().min(1).optional(),
  METRICS_TOKEN: z.string().min(16).optional(),
  HELPDESK_URL: url(['http:', 'https:'])
    .refine((value) => value.includes('{subdomain}'), 'must contain {subdomain}')
    .optional(),
  LIMITS: z.enum(['on', 'off']).default('on'),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  DRAIN_SECONDS: z.coerce.number().min(0).max(8).default(5),
  SESSION_IDLE_MINUTES: z.coerce.number().int().min(1).max(1440).default(60),
  SESSION_HOURS: z.coerce.number().int().min(1).max(24).default(24),
});

/** Names of all supported variables. */
export const VARIABLES: readonly string[] = Object.keys(Variables.shape);

/** The configuration, read once at startup. */
export interface Env extends z.output<typeof Variables> {
  /** True without DATABASE_URL: the server runs its own PostgreSQL. */
  embedded: boolean;
  host: string;
  /** Base URL of links in emails; never taken from a request. */
  publicUrl: string;
  /** DATA_DIR as an absolute path; undefined for the default. */
  dataDir: string | undefined;
}

/** Parses the environment; throws one error that lists all problems. An empty value counts as unset. */
export function parseEnv(source: NodeJS.ProcessEnv = process.env, repository: string = process.cwd()): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = Variables.safeParse(given);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  if (given.DATABASE_URL && !given.SECRET_KEY)
    problems.push('SECRET_KEY: is required with DATABASE_URL (64 hex digits)');
  if (parsed.success && parsed.data.LIMITS === 'off' && !isLoopbackHost(new URL(toPublicUrl(parsed.data)).hostname))
    problems.push('LIMITS: off is for measuring and requires a PUBLIC_URL on loopback');
  if (problems.length > 0 || !parsed.success) throw new Error(`Invalid configuration:\n  ${problems.join('\n  ')}`);
  const values = parsed.data;
  const embedded = values.DATABASE_URL === undefined;
  const dataDir = values.DATA_DIR ?? (existsSync(resolve(repository, 'var/data')) ? 'var/data' : undefined);
  return {
    ...values,
    embedded,
    host: values.HOST ?? (embedded ? '127.0.0.1' : '0.0.0.0'),
    publicUrl: toPublicUrl(values),
    dataDir: dataDir === undefined || isAbsolute(dataDir) ? dataDir : resolve(repository, dataDir),
  };
}

function toPublicUrl({ PUBLIC_URL, PORT }: z.output<typeof Variables>): string {
  return PUBLIC_URL ?? `http://localhost:${PORT}`;
}
