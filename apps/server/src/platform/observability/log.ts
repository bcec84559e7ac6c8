import { type Logger, pino, stdTimeFunctions } from 'pino';

export type { Logger } from 'pino';

/** Keys whose values never reach a log line, at the top of an object or one step below (spec trust, G16). */
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

/** Structured log on stdout, one JSON line each, UTC; secrets are removed by key. */
export function createLog(level: string, destination?: { write(line: string): void }): Logger {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`]), censor: '[removed]' },
  };
  return destination ? pino(options, destination) : pino(options);
}
