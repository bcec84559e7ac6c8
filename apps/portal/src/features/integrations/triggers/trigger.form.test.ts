import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { IntegrationDetail } from '@steward/contract/integrations';
import type { ChosenChannel } from '#workspace/channels/channel-choice.ts';
import { encodeTemplate } from '../template/template-text.ts';
import {
  applyChannels,
  channelStates,
  getErrors,
  isChanged,
  isTooMany,
  isWorthSaving,
  openChannels,
  selectIntegration,
  storedValues,
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
  signature_header: '',
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
  it('begins with Ticket Created alone where nothing could be fetched', () => {
    const values = { ticket_created: true, ticket_updated: false, template: '', channels: [] };
    assert.deepEqual(storedValues(undefined), values);
  });

  it('shows the stored template decoded, and is not changed by opening it', () => {
    const values = storedValues(detail);
    assert.equal(values.template, '{"text":"é"}');
    assert.equal(isChanged(values, storedValues(detail)), false);
  });

  it('is not changed by another order of the channels, and is by another channel, event or template', () => {
    const stored = storedValues(detail);
    assert.equal(isChanged({ ...stored, channels: stored.channels.toReversed() }, stored), false);
    assert.equal(isChanged({ ...stored, channels: [chosen('ops')] }, stored), true);
    assert.equal(isChanged({ ...stored, ticket_updated: true }, stored), true);
    assert.equal(isChanged({ ...stored, template: '{}' }, stored), true);
  });

  it('takes archived and missing channels out of what it sends, and leaves those in that were chosen just now', () => {
    const { channels } = storedValues(detail);
    const open = openChannels([...channels, chosen('new')], channelStates(detail));
    assert.deepEqual(
      open.map(({ channel_id }) => channel_id),
      ['ops', 'new'],
    );
  });

  it('takes at most 50 channels, and can go back from more than that', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => chosen(String(at)));
    assert.equal(applyChannels(many(49), many(50)).length, 50);
    assert.equal(applyChannels(many(50), many(51)).length, 50);
    assert.equal(isTooMany(many(50), many(51)), true);
    assert.equal(applyChannels(many(60), many(59)).length, 59);
  });

  it('asks for an event first, then for an open channel, then for a message', () => {
    const values = { ...storedValues(undefined), ticket_created: false, template: ' \n' };
    assert.deepEqual(Object.values(getErrors(values, [])), [
      'Please select atleast one action.',
      'Choose at least one open channel of this team.',
      'Please write the message.',
    ]);
    assert.deepEqual(getErrors({ ...values, ticket_updated: true, template: '{}' }, [chosen('ops')]), {});
  });

  it('sends the template in base64 and no credentials', () => {
    const body = triggerBody('zendesk', storedValues(detail), [chosen('ops')]);
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

  it('may be saved unchanged where something is to be made good at the vendor', () => {
    assert.equal(isWorthSaving(detail), false);
    assert.equal(isWorthSaving({ ...detail, health: 'warning' }), true);
    assert.equal(isWorthSaving({ ...detail, warnings: ['x'] }), true);
    assert.equal(isWorthSaving(undefined), true);
  });
});

describe('the integration that the page is about', () => {
  const tile = (id: string, enabled: boolean) => {
    const last = { warnings: [], last_delivery_at: null, last_error: '', last_error_at: null };
    return { id, enabled, code: id, name: id, health: 'off' as const, ...last };
  };

  it('is the one that the page was opened for, unless this team has no such one', () => {
    const records = [tile('a', false), tile('b', true)];
    assert.equal(selectIntegration(records, 'a')?.id, 'a');
    assert.equal(selectIntegration(records, 'of another team')?.id, 'b');
    assert.equal(selectIntegration(records, undefined)?.id, 'b');
    assert.equal(selectIntegration([tile('a', false)], undefined)?.id, 'a');
    assert.equal(selectIntegration([], 'a'), undefined);
  });
});
