import assert from 'node:assert/strict';
import type { DefaultChannel } from '@steward/contract/channels/defaults';
import { describe, it } from 'vitest';
import type { ChosenChannel } from '#workspace/channels/channel-choice.ts';
import {
  applySelection,
  differsFromStored,
  getIds,
  getMissingChannels,
  isTooMany,
  toStoredChannels,
} from './default-channels.form.ts';

const chosen = (id: string): ChosenChannel => ({
  channel_id: id,
  channel_name: id.toUpperCase(),
  type: 'O',
  general: id === 'general',
});
const stored = (id: string, state: DefaultChannel['state'] = 'active'): DefaultChannel => {
  return { ...chosen(id), state, type: state === 'missing' ? null : 'O' };
};

const GENERAL = chosen('general');
const OPS = chosen('ops');

describe('a change of the selection', () => {
  it('is applied when it contains general, at any position', () => {
    const wanted = [OPS, GENERAL];
    assert.equal(applySelection([GENERAL], wanted), wanted);
  });

  it('is ignored when it leaves out general, or everything', () => {
    const before = [GENERAL, OPS];
    assert.equal(applySelection(before, [OPS]), before);
    assert.equal(applySelection(before, []), before);
  });

  it('identifies general by its flag, not by a similar display name', () => {
    const decoy = { ...OPS, channel_name: 'General' };
    assert.deepEqual(applySelection([GENERAL], [decoy]), [GENERAL]);
  });

  it('is limited to 200 channels, and can shrink from more than that', () => {
    const many = (count: number) => [GENERAL, ...Array.from({ length: count - 1 }, (_, at) => chosen(String(at)))];
    assert.equal(applySelection(many(199), many(200)).length, 200);
    assert.equal(applySelection(many(200), many(201)).length, 200);
    assert.equal(isTooMany(many(200), many(201)), true);
    assert.equal(applySelection(many(300), many(299)).length, 299);
  });
});

describe('the selection to save', () => {
  it('is unchanged when the same channels are selected in another order', () => {
    const before = [stored('general'), stored('ops')];
    assert.equal(differsFromStored([OPS, GENERAL], before), false);
    assert.equal(differsFromStored([GENERAL], before), true);
    assert.equal(differsFromStored([GENERAL, chosen('design')], before), true);
  });

  it('leaves out missing channels and keeps archived ones', () => {
    const selection = [stored('general'), stored('gone', 'missing'), stored('old', 'archived')];
    assert.deepEqual(getIds(selection), ['general', 'old']);
    assert.deepEqual(
      getMissingChannels(selection).map(({ channel_id }) => channel_id),
      ['gone'],
    );
    assert.deepEqual(getMissingChannels([GENERAL]), []);
  });

  it('leaves out missing channels even if someone else has removed them from the stored list', () => {
    assert.deepEqual(
      toStoredChannels([stored('general'), stored('gone', 'missing')], [stored('general')]).map(
        ({ channel_id }) => channel_id,
      ),
      ['general'],
    );
  });

  it('is shown in the selected order, general first', () => {
    const before = [stored('general'), stored('old', 'archived')];
    assert.deepEqual(
      toStoredChannels([chosen('old'), OPS, GENERAL], before).map(({ channel_id, state }) => `${channel_id} ${state}`),
      ['general active', 'old archived', 'ops active'],
    );
  });
});
