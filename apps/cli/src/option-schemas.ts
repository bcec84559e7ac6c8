import { Email, Id, text } from '@steward/contract/api/fields';
import { TOKEN_NAME_MAX } from '@steward/contract/api/limits';
import { ContentKind } from '@steward/contract/content';
import { RetentionKind } from '@steward/contract/retention/fields';
import { NewPassword } from '@steward/contract/session/passwords';
import { TeamName, TimeZone } from '@steward/contract/session/teams';
import { isCommonPassword } from '@steward/server/src/platform/security/common-passwords.ts';
import { z } from 'zod';
import { Mistake } from './command.ts';

/** Schemas of options: the same rules as in the API. */
export const typed = {
  email: Email,
  teamId: Id,
  teamName: TeamName,
  contentKinds: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(ContentKind).min(1)),
  tokenName: text(TOKEN_NAME_MAX).trim().min(1, 'must not be empty'),
  password: NewPassword.refine((password) => !isCommonPassword(password), 'is too common'),
  retentionKind: RetentionKind,
  timeZone: TimeZone,
  /** A day, as its start in UTC. */
  day: z.iso
    .date('is not a day (such as 2026-01-31)')
    .transform((day) => Date.parse(day))
    .refine((instant) => instant >= Date.UTC(1980, 0, 1), 'must not be before 1980-01-01'),
  count: (max: number) =>
    z
      .string()
      .regex(/^\d{1,9}$/, 'must be a whole number')
      .transform(Number)
      .refine((count) => count <= max, `must be at most ${max}`),
};

/** Parses an option. Throws a Mistake that names the option and the reason. */
export function read<Schema extends z.ZodType>(
  schema: Schema,
  option: string,
  value: string | undefined,
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw new Mistake(`--${option} ${error.issues[0]?.message ?? 'is invalid'}.`);
  return data;
}
