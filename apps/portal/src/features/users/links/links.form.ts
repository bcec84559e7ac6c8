import { LINK_DOMAINS_MAX, LINK_USES_MAX } from '@steward/contract/api/limits';
import { addInvitationLink } from '@steward/contract/users/invitation-links';
import { collectErrors, type FieldErrors, toFieldErrors } from '#platform/api/field-errors.ts';

export interface LinkValues {
  name: string;
  /** Hours, as the value of a choice. */
  hours: string;
  /** '' for an empty field. */
  maxUses: number | string;
  /** As typed, with commas or spaces between. */
  domains: string;
  /** '' for none. */
  endsOn: string;
}

type Field = keyof LinkValues;

const LABELS = {
  name: 'The name',
  max_uses: 'The number',
  domains: 'The list of domains',
  members_end_on: 'The end date',
};

export const ENDS = [
  { value: '1', label: 'In 1 hour' },
  { value: '8', label: 'In 8 hours' },
  { value: '24', label: 'In 1 day' },
  { value: '72', label: 'In 3 days' },
  { value: '168', label: 'In 7 days' },
  { value: '336', label: 'In 14 days' },
  { value: '720', label: 'In 30 days' },
] as const;

export const NEW_LINK: LinkValues = { name: '', hours: '168', maxUses: 25, domains: '', endsOn: '' };

export function toLinkBody({ name, hours, maxUses, domains, endsOn }: LinkValues) {
  return {
    name,
    hours: Number(hours),
    max_uses: Number(maxUses),
    ...(endsOn !== '' && { members_end_on: endsOn }),
    domains: domains.split(/[\s,;]+/).filter((domain) => domain !== ''),
  };
}

export function validateLink(values: LinkValues): FieldErrors<Field> {
  const issues = addInvitationLink.body?.safeParse(toLinkBody(values)).error?.issues ?? [];
  // A wrong domain is a problem of the whole field.
  return toFields(
    collectErrors(
      issues.map((issue) => ({ ...issue, path: issue.path.slice(0, 1) })),
      LABELS,
    ),
  );
}

export function toLinkErrors(message: string): FieldErrors<Field> {
  return toFields(toFieldErrors(message, LABELS));
}

function toFields({ name, max_uses, domains, members_end_on }: FieldErrors<keyof typeof LABELS>): FieldErrors<Field> {
  return {
    ...(name !== undefined && { name }),
    ...(members_end_on !== undefined && { endsOn: members_end_on }),
    ...(max_uses !== undefined && { maxUses: `Enter a whole number from 1 to ${LINK_USES_MAX}.` }),
    ...(domains !== undefined && {
      domains: `Enter at most ${LINK_DOMAINS_MAX} domains such as example.com, with commas between.`,
    }),
  };
}
