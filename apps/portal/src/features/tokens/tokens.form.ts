import { TOKEN_YEARS_MAX } from '@steward/contract/api/limits';
import { ContentKind } from '@steward/contract/content';
import { addToken, type Token, toTokenExpiry } from '@steward/contract/tokens';
import { collectErrors, type FieldErrors, toFieldErrors } from '#platform/api/field-errors.ts';

export interface TokenValues {
  name: string;
  kinds: ContentKind[];
  speaksForUsers: boolean;
  expires: string;
}

type Field = keyof TokenValues;

const LABELS = { name: 'The name', kinds: 'The list of kinds', expires_at: 'The expiry' };

/** One year is the default of the server and isn't sent. */
export const EXPIRIES = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: 'year', label: 'In 1 year' },
  { value: 'latest', label: `In ${TOKEN_YEARS_MAX} years` },
] as const;

const DAY_MS = 86_400_000;

/** A new token may do everything; a replacement may do what the replaced token may. */
export function toTokenValues(replaced: Token | undefined): TokenValues {
  const kinds = replaced?.kinds.length ? replaced.kinds : ContentKind.options;
  return {
    name: replaced?.name ?? '',
    kinds: [...kinds],
    speaksForUsers: replaced?.speak_for_users ?? false,
    expires: 'year',
  };
}

/** The latest expiry is one day early, because the clocks may differ. */
export function toTokenBody({ name, kinds, speaksForUsers, expires }: TokenValues, now: number, replaces?: string) {
  const expires_at =
    expires === 'latest' ? toTokenExpiry(now, TOKEN_YEARS_MAX) - DAY_MS : now + Number(expires) * DAY_MS;
  return {
    name,
    kinds,
    speak_for_users: speaksForUsers,
    ...(expires === 'year' ? {} : { expires_at }),
    ...(replaces === undefined ? {} : { replaces }),
  };
}

export function validateToken(values: TokenValues): FieldErrors<Field> {
  const issues = addToken.body?.safeParse(toTokenBody(values, 0)).error?.issues ?? [];
  const { name } = collectErrors(issues, LABELS);
  const errors: FieldErrors<Field> = name === undefined ? {} : { name };
  if (values.kinds.length === 0) errors.kinds = 'Choose at least one kind of content.';
  return errors;
}

export function toTokenErrors(message: string): FieldErrors<Field> {
  const { expires_at, ...errors } = toFieldErrors(message, LABELS);
  return expires_at === undefined ? errors : { ...errors, expires: expires_at };
}
