import type { RetentionKind } from '@steward/contract/retention/fields';
import { addHold, type Hold, saveHold } from '@steward/contract/retention/holds';
import { collectErrors, type FieldErrors, toFieldErrors } from '#platform/api/field-errors.ts';
import type { Choice } from '#platform/forms/search-many.tsx';
import { getStartOfDay } from '#platform/time/days.ts';

/** Dates look like `2026-03-02` and are inclusive; an empty string means no date. */
export interface HoldValues {
  name: string;
  reason: string;
  users: Choice[];
  channels: Choice[];
  /** Of connected servers; their ids begin with that of the connection. */
  connectedUsers: Choice[];
  connectedChannels: Choice[];
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
  connected_user_ids: 'The list of users on a connected server',
  connected_channel_ids: 'The list of channels on a connected server',
  settings: 'The list of content',
  from: 'The first day',
  to: 'The last day',
  confirm: 'The name of the team',
};

/** The values are empty for a new hold. An existing hold only provides its name and reason, because its lists can only get longer. */
export function toHoldValues(hold: Hold | undefined): HoldValues {
  const lists = { users: [], channels: [], connectedUsers: [], connectedChannels: [], settings: [] };
  return { ...lists, from: '', to: '', confirm: '', name: hold?.name ?? '', reason: hold?.reason ?? '' };
}

/** A hold on everything in the team has to be confirmed. */
export function isWholeTeam(values: HoldValues): boolean {
  const { users, channels, connectedUsers, connectedChannels, settings } = values;
  return [users, channels, connectedUsers, connectedChannels, settings].every(({ length }) => length === 0);
}

/** Users here and on connected servers are one list: the hold covers everyone only if it names nobody. */
export function isLimitedToUsers({ user_ids, connected_user_ids }: Hold): boolean {
  return user_ids.length + connected_user_ids.length > 0;
}

export function isLimitedToChannels({ channel_ids, connected_channel_ids }: Hold): boolean {
  return channel_ids.length + connected_channel_ids.length > 0;
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
    connected_user_ids: toIds(values.connectedUsers),
    connected_channel_ids: toIds(values.connectedChannels),
    from: getStartOfDay(from)?.getTime() ?? null,
    to: getStartOfDay(to, 1)?.getTime() ?? null,
    ...(isWholeTeam(values) && { confirm: confirm.trim() }),
  };
}

/** A list without a limit stays without one. A new date can only widen the period. */
export function toChangeBody(values: HoldValues, hold: Hold) {
  const { name, reason, users, channels, connectedUsers, connectedChannels, settings, from, to } = values;
  const longer = <Item>(list: readonly Item[], more: readonly Item[], isLimited = list.length > 0) =>
    !isLimited || more.length === 0 ? undefined : [...new Set([...list, ...more])];
  const [hasUsers, hasChannels] = [isLimitedToUsers(hold), isLimitedToChannels(hold)];
  return {
    name,
    reason,
    user_ids: longer(hold.user_ids, toIds(users), hasUsers),
    channel_ids: longer(hold.channel_ids, toIds(channels), hasChannels),
    connected_user_ids: longer(hold.connected_user_ids, toIds(connectedUsers), hasUsers),
    connected_channel_ids: longer(hold.connected_channel_ids, toIds(connectedChannels), hasChannels),
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

function toFields(errors: FieldErrors<keyof typeof LABELS>): FieldErrors<Field> {
  const { user_ids, channel_ids, connected_user_ids, connected_channel_ids, ...others } = errors;
  return {
    ...others,
    ...(user_ids && { users: user_ids }),
    ...(channel_ids && { channels: channel_ids }),
    ...(connected_user_ids && { connectedUsers: connected_user_ids }),
    ...(connected_channel_ids && { connectedChannels: connected_channel_ids }),
  };
}
