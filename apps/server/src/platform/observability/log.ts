import { type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';
import { toSourceStack } from './stack-lines.ts';

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

/** Structured log on stdout: JSON lines in UTC, with secrets removed by key. */
export function createLog(level: string, destination?: { write(line: string): void }): Logger {
  const options = {
    level,
    base: null,
    serializers: { err: toLoggedError },
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`]), censor: '[removed]' },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** As pino does, with the lines of our sources where they were built. */
function toLoggedError(error: Error) {
  const logged = stdSerializers.err(error);
  return typeof logged?.stack === 'string' ? { ...logged, stack: toSourceStack(logged.stack) } : logged;
}
