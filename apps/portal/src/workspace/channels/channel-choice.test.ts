import assert from 'node:assert/strict';
import type { Channel } from '@steward/contract/channels';
import { describe, it } from 'vitest';
import {
  type ChosenChannel,
  dedupeChannels,
  getNextPage,
  toChosenChannel,
  toggleChannel,
  without,
} from './channel-choice.ts';

const channel = (id: string, name = id) => ({ id, name, display_name: `The ${name}`, type: 'P' }) as Channel;
const chosen = (id: string) => ({ channel_id: id }) as ChosenChannel;
const getIds = (channels: readonly ChosenChannel[]) => channels.map(({ channel_id }) => channel_id);

describe('choosing channels', () => {
  it('keeps the display name of the channel', () => {
    assert.deepEqual(toChosenChannel(channel('a', 'ops')), {
      channel_id: 'a',
      channel_name: 'The ops',
      type: 'P',
      general: false,
    });
  });

  it('recognizes general by its name, in any case', () => {
    for (const name of ['general', 'General', 'GENERAL'])
      assert.equal(toChosenChannel(channel('a', name)).general, true);
    for (const name of ['generals', 'town-square']) assert.equal(toChosenChannel(channel('a', name)).general, false);
  });

  it('appends a channel, and removes it the second time', () => {
    const two = toggleChannel([chosen('a')], chosen('b'));
    assert.deepEqual(getIds(two), ['a', 'b']);
    assert.deepEqual(getIds(toggleChannel(two, chosen('a'))), ['b']);
    assert.deepEqual(getIds(without(two, 'b')), ['a']);
  });
});

describe('pages of channels', () => {
  const page = (rows: number) => Array.from({ length: rows }, (_, at) => channel(String(at)));

  it('are followed by another only if they are full', () => {
    assert.equal(getNextPage(page(100), 0), 1);
    assert.equal(getNextPage(page(100), 4), 5);
    assert.equal(getNextPage(page(99), 0), undefined);
    assert.equal(getNextPage([], 1), undefined);
  });

  it('list a channel once even if it is on two pages', () => {
    const shown = dedupeChannels([
      [channel('a'), channel('b')],
      [channel('b', 'renamed'), channel('c')],
    ]);
    assert.deepEqual(
      shown.map(({ id, name }) => `${id} ${name}`),
      ['a a', 'b renamed', 'c c'],
    );
  });
});
