import type { RetentionKind } from '@steward/contract/retention/fields';
import { addHold, type Hold, saveHold } from '@steward/contract/retention/holds';
import { collectErrors, type FieldErrors, toFieldErrors } from '#platform/api/field-errors.ts';
import { getStartOfDay } from '#platform/time/days.ts';

export interface Choice {
  id: string;
  name: string;
}

/** Dates look like `2026-03-02` and are inclusive; an empty string means no date. */
export interface HoldValues {
  name: string;
  reason: string;
  users: Choice[];
  channels: Choice[];
  settings: RetentionKind[];
  from: string;
  to: string;
  confirm: string;
}

type Field = keyof HoldValues;

const LABELS = {
  name: 'The name',
  reason: 'The reason',
  user_ids: 'The list of users',
  channel_ids: 'The list of channels',
  settings: 'The list of content',
  from: 'The first day',
  to: 'The last day',
  confirm: 'The name of the team',
};

/** The values are empty for a new hold. An existing hold only provides its name and reason, because its lists can only get longer. */
export function toHoldValues(hold: Hold | undefined): HoldValues {
  const empty = { users: [], channels: [], settings: [], from: '', to: '', confirm: '' };
  return { ...empty, name: hold?.name ?? '', reason: hold?.reason ?? '' };
}

/** A hold on everything in the team has to be confirmed. */
export function isWholeTeam({ users, channels, settings }: HoldValues): boolean {
  return users.length === 0 && channels.length === 0 && settings.length === 0;
}

const toIds = (choices: readonly Choice[]) => choices.map(({ id }) => id);

/** The last day is included, so the hold ends when that day ends. */
export function toHoldBody(values: HoldValues) {
  const { name, reason, users, channels, settings, from, to, confirm } = values;
  return {
    name,
    reason,
    settings,
    user_ids: toIds(users),
    channel_ids: toIds(channels),
    from: getStartOfDay(from)?.getTime() ?? null,
    to: getStartOfDay(to, 1)?.getTime() ?? null,
    ...(isWholeTeam(values) && { confirm: confirm.trim() }),
  };
}

/** A list without a limit stays without one. A new date can only widen the period. */
export function toChangeBody({ name, reason, users, channels, settings, from, to }: HoldValues, hold: Hold) {
  const longer = <Item>(list: readonly Item[], more: readonly Item[]) =>
    list.length === 0 || more.length === 0 ? undefined : [...new Set([...list, ...more])];
  return {
    name,
    reason,
    user_ids: longer(hold.user_ids, toIds(users)),
    channel_ids: longer(hold.channel_ids, toIds(channels)),
    settings: longer(hold.settings, settings),
    from: hold.from === null ? undefined : getStartOfDay(from)?.getTime(),
    to: hold.to === null ? undefined : getStartOfDay(to, 1)?.getTime(),
  };
}

export function validateHold(values: HoldValues, { hold, team }: { hold: Hold | undefined; team: string }) {
  const schema = hold === undefined ? addHold.body : saveHold.body;
  const body = hold === undefined ? toHoldBody(values) : toChangeBody(values, hold);
  const errors = toFields(collectErrors(schema?.safeParse(body).error?.issues ?? [], LABELS));
  if (hold === undefined && isWholeTeam(values) && values.confirm.trim() !== team)
    errors.confirm = `Type ${team} to confirm.`;
  return errors;
}

export function toHoldErrors(message: string): FieldErrors<Field> {
  return toFields(toFieldErrors(message, LABELS));
}

function toFields({ user_ids, channel_ids, ...errors }: FieldErrors<keyof typeof LABELS>): FieldErrors<Field> {
  return { ...errors, ...(user_ids && { users: user_ids }), ...(channel_ids && { channels: channel_ids }) };
}
