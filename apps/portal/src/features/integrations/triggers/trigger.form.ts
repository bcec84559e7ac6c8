import { TRIGGER_CHANNELS_MAX } from '@steward/contract/api/limits';
import type { Integration, IntegrationDetail } from '@steward/contract/integrations';
import type { ChosenChannel } from '#workspace/channels/channel-choice.ts';
import { decodeTemplate, encodeTemplate } from '../template/template-text.ts';

/** The form as it opens and as it is filled. */
export interface TriggerValues {
  ticket_created: boolean;
  ticket_updated: boolean;
  /** JSON body with placeholders, as it is read and not as it is stored. */
  template: string;
  channels: readonly ChosenChannel[];
}

/** What somebody entered; what nobody touched is absent and follows what is stored. */
export type TriggerEdits = Partial<TriggerValues>;

/** What is against the values; nothing when they can be sent. */
export type TriggerErrors = Partial<Record<'actions' | 'channels' | 'template', string>>;

type ChannelState = IntegrationDetail['channel_details'][number]['state'];

/** Said where neither event is chosen (spec §5). */
const NO_ACTION = 'Please select atleast one action.';
const NO_CHANNEL = 'Choose at least one open channel of this team.';
const NO_TEMPLATE = 'Please write the message.';
/** Said in place of a channel that would be too much. */
export const TOO_MANY = `Tickets go to at most ${TRIGGER_CHANNELS_MAX} channels.`;

/** The integration that the page is about: the one it was opened for if this team has it, else one that is connected. */
export function selectIntegration(records: readonly Integration[], id: string | undefined): Integration | undefined {
  return records.find((one) => one.id === id) ?? records.find(({ enabled }) => enabled) ?? records[0];
}

/** What is stored, as the form shows it; where that could not be fetched, what the spec begins with (§3). */
export function storedValues(detail: IntegrationDetail | undefined): TriggerValues {
  if (detail === undefined) return { ticket_created: true, ticket_updated: false, template: '', channels: [] };
  const { ticket_created, ticket_updated, message, channel_details } = detail;
  const channels = channel_details.map(({ channel_id, channel_name }) => {
    return { channel_id, channel_name, type: null, general: false };
  });
  return { ticket_created, ticket_updated, template: decodeTemplate(message), channels };
}

/** Whether the form says something else than what is stored; the order of channels says nothing. */
export function isChanged(values: TriggerValues, stored: TriggerValues): boolean {
  const said = ({ ticket_created, ticket_updated, template, channels }: TriggerValues) => {
    return JSON.stringify([ticket_created, ticket_updated, template, channels.map((one) => one.channel_id).sort()]);
  };
  return said(values) !== said(stored);
}

/** How a channel stands; one that was chosen just now is open, or it would not have been offered. */
export function channelStates(detail: IntegrationDetail | undefined): ReadonlyMap<string, ChannelState> {
  return new Map(detail?.channel_details.map(({ channel_id, state }) => [channel_id, state]));
}

/** Those of the chosen channels that something can be posted in; the next save takes the others out. */
export function openChannels(
  channels: readonly ChosenChannel[],
  states: ReadonlyMap<string, ChannelState>,
): readonly ChosenChannel[] {
  return channels.filter(({ channel_id }) => (states.get(channel_id) ?? 'active') === 'active');
}

/** The choice after somebody wanted another one, which may be too much. */
export function applyChannels(
  before: readonly ChosenChannel[],
  wanted: readonly ChosenChannel[],
): readonly ChosenChannel[] {
  return isTooMany(before, wanted) ? before : wanted;
}

/** Taking some out is possible all the same. */
export function isTooMany(before: readonly ChosenChannel[], wanted: readonly ChosenChannel[]): boolean {
  return wanted.length > TRIGGER_CHANNELS_MAX && wanted.length > before.length;
}

/** What is against a save; in the order of the form. */
export function getErrors(values: TriggerValues, open: readonly ChosenChannel[]): TriggerErrors {
  return {
    ...(!values.ticket_created && !values.ticket_updated && { actions: NO_ACTION }),
    ...(open.length === 0 && { channels: NO_CHANNEL }),
    ...(values.template.trim() === '' && { template: NO_TEMPLATE }),
  };
}

/** What a test sends, and a save among other things. */
export function buildMessage(template: string, channels: readonly ChosenChannel[]) {
  const channel_details = channels.map(({ channel_id, channel_name }) => ({ channel_id, channel_name }));
  return { message: encodeTemplate(template), channel_details };
}

/** What a save sends. Credentials stay out of it: somebody may have changed them since this form was opened. */
export function triggerBody(integration: string, values: TriggerValues, open: readonly ChosenChannel[]) {
  const { ticket_created, ticket_updated, template } = values;
  return { integration, ticket_created, ticket_updated, ...buildMessage(template, open) };
}

/** What is stored once a form was saved. */
export function toStoredChannels(detail: IntegrationDetail, body: ReturnType<typeof triggerBody>): IntegrationDetail {
  const channel_details = body.channel_details.map((channel) => ({ ...channel, state: 'active' as const }));
  return { ...detail, ...body, channel_details };
}

/** Whether saving may help although nobody has changed anything: it makes again what is gone at the vendor. */
export function isWorthSaving(detail: IntegrationDetail | undefined): boolean {
  return detail === undefined || detail.health !== 'ok' || detail.warnings.length > 0;
}
