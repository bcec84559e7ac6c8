import { TRIGGER_CHANNELS_MAX } from '@steward/contract/api/limits';
import type { Integration, IntegrationDetail } from '@steward/contract/integrations';
import type { ChosenChannel } from '#workspace/channels/channel-choice.ts';
import { decodeTemplate, encodeTemplate } from '../template/template-text.ts';

/** Values of the form. */
export interface TriggerValues {
  ticket_created: boolean;
  ticket_updated: boolean;
  /** JSON body with placeholders, decoded. */
  template: string;
  channels: readonly ChosenChannel[];
}

/** The values that were edited; the others follow the stored settings. */
export type TriggerEdits = Partial<TriggerValues>;

/** Validation errors; empty if the values can be sent. */
export type TriggerErrors = Partial<Record<'actions' | 'channels' | 'template', string>>;

type ChannelState = IntegrationDetail['channel_details'][number]['state'];

/** The error if neither event is selected. */
const NO_ACTION = 'Please select atleast one action.';
const NO_CHANNEL = 'Choose at least one open channel of this team.';
const NO_TEMPLATE = 'Please write the message.';
/** The error if the limit on channels would be exceeded. */
export const TOO_MANY = `You can choose up to ${TRIGGER_CHANNELS_MAX} channels.`;

/** The integration to show: the requested one if the team has it, otherwise a connected one. */
export function selectIntegration(records: readonly Integration[], id: string | undefined): Integration | undefined {
  return records.find((one) => one.id === id) ?? records.find(({ enabled }) => enabled) ?? records[0];
}

/** The stored values, or the defaults if they couldn't be fetched. */
export function getStoredValues(detail: IntegrationDetail | undefined): TriggerValues {
  if (detail === undefined) return { ticket_created: true, ticket_updated: false, template: '', channels: [] };
  const { ticket_created, ticket_updated, message, channel_details } = detail;
  const channels = channel_details.map(({ channel_id, channel_name }) => {
    return { channel_id, channel_name, type: null, general: false };
  });
  return { ticket_created, ticket_updated, template: decodeTemplate(message), channels };
}

/** Whether the values differ from the stored ones; the order of channels is irrelevant. */
export function isChanged(values: TriggerValues, stored: TriggerValues): boolean {
  const serialize = ({ ticket_created, ticket_updated, template, channels }: TriggerValues) => {
    return JSON.stringify([ticket_created, ticket_updated, template, channels.map((one) => one.channel_id).sort()]);
  };
  return serialize(values) !== serialize(stored);
}

/** The state of each stored channel. A newly selected channel has none: only active channels are offered. */
export function getChannelStates(detail: IntegrationDetail | undefined): ReadonlyMap<string, ChannelState> {
  return new Map(detail?.channel_details.map(({ channel_id, state }) => [channel_id, state]));
}

/** The selected channels that can receive messages; saving removes the others. */
export function filterOpenChannels(
  channels: readonly ChosenChannel[],
  states: ReadonlyMap<string, ChannelState>,
): readonly ChosenChannel[] {
  return channels.filter(({ channel_id }) => (states.get(channel_id) ?? 'active') === 'active');
}

/** The selection after a change, unless it would exceed the limit. */
export function applyChannels(
  before: readonly ChosenChannel[],
  wanted: readonly ChosenChannel[],
): readonly ChosenChannel[] {
  return isTooMany(before, wanted) ? before : wanted;
}

/** Removing channels is allowed even above the limit. */
export function isTooMany(before: readonly ChosenChannel[], wanted: readonly ChosenChannel[]): boolean {
  return wanted.length > TRIGGER_CHANNELS_MAX && wanted.length > before.length;
}

/** Validation errors in the order of the form. */
export function getErrors(values: TriggerValues, open: readonly ChosenChannel[]): TriggerErrors {
  return {
    ...(!values.ticket_created && !values.ticket_updated && { actions: NO_ACTION }),
    ...(open.length === 0 && { channels: NO_CHANNEL }),
    ...(values.template.trim() === '' && { template: NO_TEMPLATE }),
  };
}

/** The message and channels, as a test and a save send them. */
export function buildMessage(template: string, channels: readonly ChosenChannel[]) {
  const channel_details = channels.map(({ channel_id, channel_name }) => ({ channel_id, channel_name }));
  return { message: encodeTemplate(template), channel_details };
}

/** The body of a save. It has no credentials, which may have changed since the form was opened. */
export function triggerBody(integration: string, values: TriggerValues, open: readonly ChosenChannel[]) {
  const { ticket_created, ticket_updated, template } = values;
  return { integration, ticket_created, ticket_updated, ...buildMessage(template, open) };
}

/** The settings after a save. */
export function toStoredChannels(detail: IntegrationDetail, body: ReturnType<typeof triggerBody>): IntegrationDetail {
  const channel_details = body.channel_details.map((channel) => ({ ...channel, state: 'active' as const }));
  return { ...detail, ...body, channel_details };
}

/** Whether saving unchanged values may help: it recreates what is missing at the service. */
export function isWorthSaving(detail: IntegrationDetail | undefined): boolean {
  return detail === undefined || detail.health !== 'ok' || detail.warnings.length > 0;
}
