import assert from 'node:assert/strict';
import type { IntegrationDetail } from '@steward/contract/integrations';
import { describe, it } from 'vitest';
import type { ChosenChannel } from '#workspace/channels/channel-choice.ts';
import { encodeTemplate } from '../template/template-text.ts';
import {
  applyChannels,
  filterOpenChannels,
  getChannelStates,
  getErrors,
  getStoredValues,
  isChanged,
  isTooMany,
  isWorthSaving,
  selectIntegration,
  toStoredChannels,
  triggerBody,
} from './trigger.form.ts';

const detail: IntegrationDetail = {
  integration: 'zendesk',
  code: 'zendesk',
  name: 'Zendesk',
  enabled: true,
  credential_form: { fields: [], kinds: [] },
  has_events: true,
  hook_url: '',
  verification: null,
  verifications: [],
  refused_count: 0,
  refused_reason: '',
  refused_at: null,
  domain: 'acme',
  username: 'ada@acme.example',
  authentication: 2,
  ticket_created: true,
  ticket_updated: false,
  message: encodeTemplate('{"text":"é"}'),
  channel_details: [
    { channel_id: 'ops', channel_name: 'Ops', state: 'active' },
    { channel_id: 'old', channel_name: 'Old', state: 'archived' },
    { channel_id: 'gone', channel_name: 'Gone', state: 'missing' },
  ],
  warnings: [],
  health: 'ok',
  last_delivery_at: null,
  last_error: '',
  last_error_at: null,
};
const chosen = (id: string): ChosenChannel => ({ channel_id: id, channel_name: id, type: 'O', general: false });

describe('the form of the triggers', () => {
  it('starts with only Ticket Created if the settings could not be fetched', () => {
    const values = { ticket_created: true, ticket_updated: false, template: '', channels: [] };
    assert.deepEqual(getStoredValues(undefined), values);
  });

  it('shows the stored template decoded, and is unchanged by opening it', () => {
    const values = getStoredValues(detail);
    assert.equal(values.template, '{"text":"é"}');
    assert.equal(isChanged(values, getStoredValues(detail)), false);
  });

  it('is unchanged by another order of the channels, but not by another channel, event or template', () => {
    const stored = getStoredValues(detail);
    assert.equal(isChanged({ ...stored, channels: stored.channels.toReversed() }, stored), false);
    assert.equal(isChanged({ ...stored, channels: [chosen('ops')] }, stored), true);
    assert.equal(isChanged({ ...stored, ticket_updated: true }, stored), true);
    assert.equal(isChanged({ ...stored, template: '{}' }, stored), true);
  });

  it('sends no archived or missing channels, but newly selected ones', () => {
    const { channels } = getStoredValues(detail);
    const open = filterOpenChannels([...channels, chosen('new')], getChannelStates(detail));
    assert.deepEqual(
      open.map(({ channel_id }) => channel_id),
      ['ops', 'new'],
    );
  });

  it('accepts at most 50 channels, and allows removing channels above the limit', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => chosen(String(at)));
    assert.equal(applyChannels(many(49), many(50)).length, 50);
    assert.equal(applyChannels(many(50), many(51)).length, 50);
    assert.equal(isTooMany(many(50), many(51)), true);
    assert.equal(applyChannels(many(60), many(59)).length, 59);
  });

  it('requires an event, an open channel and a message, in this order', () => {
    const values = { ...getStoredValues(undefined), ticket_created: false, template: ' \n' };
    assert.deepEqual(Object.values(getErrors(values, [])), [
      'Please select atleast one action.',
      'Choose at least one open channel of this team.',
      'Please write the message.',
    ]);
    assert.deepEqual(getErrors({ ...values, ticket_updated: true, template: '{}' }, [chosen('ops')]), {});
  });

  it('sends the template in base64 and no credentials', () => {
    const body = triggerBody('zendesk', getStoredValues(detail), [chosen('ops')]);
    assert.deepEqual(body, {
      integration: 'zendesk',
      ticket_created: true,
      ticket_updated: false,
      message: detail.message,
      channel_details: [{ channel_id: 'ops', channel_name: 'ops' }],
    });
    const stored = toStoredChannels(detail, body);
    assert.deepEqual(stored.channel_details, [{ channel_id: 'ops', channel_name: 'ops', state: 'active' }]);
    assert.equal(stored.domain, 'acme');
  });

  it('can be saved unchanged if something is missing at the service', () => {
    assert.equal(isWorthSaving(detail), false);
    assert.equal(isWorthSaving({ ...detail, health: 'warning' }), true);
    assert.equal(isWorthSaving({ ...detail, warnings: ['x'] }), true);
    assert.equal(isWorthSaving(undefined), true);
  });
});

describe('the integration that the page shows', () => {
  const tile = (id: string, enabled: boolean) => {
    const last = { warnings: [], last_delivery_at: null, last_error: '', last_error_at: null };
    const refused = { refused_count: 0, refused_reason: '', refused_at: null };
    return { id, enabled, code: id, name: id, health: 'off' as const, ...last, ...refused };
  };

  it('is the requested one, unless the team has no such integration', () => {
    const records = [tile('a', false), tile('b', true)];
    assert.equal(selectIntegration(records, 'a')?.id, 'a');
    assert.equal(selectIntegration(records, 'of another team')?.id, 'b');
    assert.equal(selectIntegration(records, undefined)?.id, 'b');
    assert.equal(selectIntegration([tile('a', false)], undefined)?.id, 'a');
    assert.equal(selectIntegration([], 'a'), undefined);
  });
});
