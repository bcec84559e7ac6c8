import { TRIGGER_CHANNELS_MAX } from '@steward/contract/api/limits';
import type { Integration, IntegrationDetail } from '@steward/contract/integrations';
import type { ChosenChannel } from '#workspace/channels/channel-choice.ts';
import { decodeTemplate, encodeTemplate } from '../template/template-text.ts';

export interface TriggerValues {
  ticket_created: boolean;
  ticket_updated: boolean;
  /** The template is decoded: JSON with placeholders. */
  template: string;
  channels: readonly ChosenChannel[];
}

/** Values that weren't edited follow the stored settings. */
export type TriggerEdits = Partial<TriggerValues>;

/** The object is empty if the values can be sent. */
export type TriggerErrors = Partial<Record<'actions' | 'channels' | 'template', string>>;

type ChannelState = IntegrationDetail['channel_details'][number]['state'];

const NO_ACTION = 'Please select atleast one action.';
const NO_CHANNEL = 'Choose at least one open channel of this team.';
const NO_TEMPLATE = 'Please write the message.';
export const TOO_MANY = `You can choose up to ${TRIGGER_CHANNELS_MAX} channels.`;

/** A requested integration that the team doesn't have is replaced by a connected one. */
export function selectIntegration(records: readonly Integration[], id: string | undefined): Integration | undefined {
  return records.find((one) => one.id === id) ?? records.find(({ enabled }) => enabled) ?? records[0];
}

/** The defaults apply if the stored values couldn't be fetched. */
export function getStoredValues(detail: IntegrationDetail | undefined): TriggerValues {
  if (detail === undefined) return { ticket_created: true, ticket_updated: false, template: '', channels: [] };
  const { ticket_created, ticket_updated, message, channel_details } = detail;
  const channels = channel_details.map(({ channel_id, channel_name }) => {
    return { channel_id, channel_name, type: null, general: false };
  });
  return { ticket_created, ticket_updated, template: decodeTemplate(message), channels };
}

/** The order of channels is irrelevant. */
export function isChanged(values: TriggerValues, stored: TriggerValues): boolean {
  const serialize = ({ ticket_created, ticket_updated, template, channels }: TriggerValues) => {
    return JSON.stringify([ticket_created, ticket_updated, template, channels.map((one) => one.channel_id).sort()]);
  };
  return serialize(values) !== serialize(stored);
}

/** A newly selected channel has no state, because only active channels are offered. */
export function getChannelStates(detail: IntegrationDetail | undefined): ReadonlyMap<string, ChannelState> {
  return new Map(detail?.channel_details.map(({ channel_id, state }) => [channel_id, state]));
}

/** Saving removes channels that can't receive messages. */
export function filterOpenChannels(
  channels: readonly ChosenChannel[],
  states: ReadonlyMap<string, ChannelState>,
): readonly ChosenChannel[] {
  return channels.filter(({ channel_id }) => (states.get(channel_id) ?? 'active') === 'active');
}

/** A change that exceeds the limit is ignored. */
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

/** The errors are in the order of the form. */
export function getErrors(values: TriggerValues, open: readonly ChosenChannel[]): TriggerErrors {
  return {
    ...(!values.ticket_created && !values.ticket_updated && { actions: NO_ACTION }),
    ...(open.length === 0 && { channels: NO_CHANNEL }),
    ...(values.template.trim() === '' && { template: NO_TEMPLATE }),
  };
}

export function buildMessage(template: string, channels: readonly ChosenChannel[]) {
  const channel_details = channels.map(({ channel_id, channel_name }) => ({ channel_id, channel_name }));
  return { message: encodeTemplate(template), channel_details };
}

/** The body has no credentials, because they may have changed since the form was opened. */
export function triggerBody(integration: string, values: TriggerValues, open: readonly ChosenChannel[]) {
  const { ticket_created, ticket_updated, template } = values;
  return { integration, ticket_created, ticket_updated, ...buildMessage(template, open) };
}

export function toStoredChannels(detail: IntegrationDetail, body: ReturnType<typeof triggerBody>): IntegrationDetail {
  const channel_details = body.channel_details.map((channel) => ({ ...channel, state: 'active' as const }));
  return { ...detail, ...body, channel_details };
}

/** Saving unchanged values may help, because it recreates missing parts at the service. */
export function isWorthSaving(detail: IntegrationDetail | undefined): boolean {
  return detail === undefined || detail.health !== 'ok' || detail.warnings.length > 0;
}
