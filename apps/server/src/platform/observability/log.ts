import { type Logger, pino, stdTimeFunctions } from 'pino';

export type { Logger } from 'pino';

/** Keys whose values are never logged, at the top level of an object or one level below. */
const SECRET_KEYS = [
  'password',
  'new_password',
  'password2',
  'token',
  'secret',
  'authorization',
  'cookie',
  'set-cookie',
];

/** JSON lines on stdout with times in UTC. Secrets are removed by key. */
export function createLog(level: string, destination?: { write(line: string): void }): Logger {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`]), censor: '[removed]' },
  };
  return destination ? pino(options, destination) : pino(options);
}
