import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type BridgeRig, bridgeRig, openOrder } from '../testing/bridge-rig.ts';
import { DAY_MS } from '../testing/rig.ts';
import { reportSetup, runRound, serveWork, takeLease } from './bridge.ts';
import { createSteward } from './steward.client.ts';

const W1 = 'w1'.padEnd(26, '0');
const W2 = 'w2'.padEnd(26, '0');

const sorted = (values: Iterable<string>) => [...values].sort();
const listIds = ({ at, talk }: BridgeRig) => sorted([...at.world.posts.inChannel(talk.id)].map(({ id }) => id));

test('people, channels and messages of the connected team are reported, and others are not', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, team, talk, ada, ben, owner, old } = rigged;
  at.addToTeam(team, ada);
  at.addToTeam(team, owner);
  const harbor = at.addTeam('harbor', [ben, ada]);
  at.post(at.addChannel(harbor, 'quay'), ben);
  const root = old({ file_ids: [at.file(ada, 'a.txt', 'twelve bytes').id] });
  at.edit(old({ root_id: root.id, message: 'sécret' }), 'secret words');
  await rigged.settle();
  assert.deepEqual(sorted(steward.users.keys()), sorted([ada.id, owner.id]));
  assert.deepEqual(
    [...steward.users.values()].map(({ id, team_ids, is_protected }) => [id === ada.id, team_ids.length, is_protected]),
    [ada, owner]
      .sort((a, b) => (a.username < b.username ? -1 : 1))
      .map((user) => [user === ada, user === ada ? 2 : 1, user === owner]),
  );
  assert.deepEqual(sorted([...steward.channels.values()].map(({ name }) => name)), [
    'Off-Topic',
    'Town Square',
    'talk',
  ]);
  const messages = steward.read.get(talk.id)!.messages;
  assert.deepEqual(sorted(messages.keys()), listIds(rigged));
  assert.deepEqual(messages.get(root.id)?.files, [{ id: root.file_ids[0], size: 12 }]);
  assert.doesNotMatch(steward.bodies.join(), /s[eé]cret|old words|a\.txt/, 'no text and no name of a file');
});

test('with direct messages, their channels, people and messages are reported too', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, ada, ben, owner, bot } = rigged;
  const [direct, group, own] = [at.openDirect(ada, ben), at.openDirect(ada, ben, owner), at.openDirect(ben, ben)];
  const post = at.post(direct, ada);
  await rigged.settle();
  assert.equal(steward.channels.has(direct.id), false);
  steward.mappings[0]!.direct_messages = true;
  await rigged.settle();
  assert.deepEqual(sorted(steward.users.keys()), sorted([ada, ben, owner, bot].map(({ id }) => id)));
  const members = [direct, group, own].map(({ id }) => sorted(steward.channels.get(id)!.member_ids));
  assert.deepEqual(
    members,
    [[ada, ben], [ada, ben, owner], [ben]].map((users) => sorted(users.map(({ id }) => id))),
  );
  assert.deepEqual([...steward.read.get(direct.id)!.messages.keys()], [post.id]);
  assert.equal(steward.channels.get(group.id)?.name, '', 'names of group channels are names of people');
});

test('nothing is read or done before an owner accepts the connection', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, bridge, team, ada } = rigged;
  at.addToTeam(team, ada);
  steward.mappings[0]!.accepted = false;
  steward.work.push({ id: W1, action: 'revoke_sessions', user_id: ada.id, team_id: team.id, channel_ids: [] });
  openOrder(rigged);
  await takeLease(bridge);
  const from = at.requests.length;
  assert.equal(await runRound(bridge), 'nothing');
  assert.equal(await serveWork(bridge), 0);
  assert.deepEqual(at.requests.slice(from), []);
  assert.equal(steward.workOutcomes.size, 0);
});

test('the first reading continues after the last channel that was finished', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, bridge, talk } = rigged;
  await takeLease(bridge);
  assert.equal(await runRound(bridge), 'done');
  assert.equal(await runRound(bridge), 'done');
  const [first] = steward.read.keys();
  at.fault({ path: /[?&]page=0/, times: 1, status: 500 });
  await assert.rejects(runRound(bridge), /status 500|500 api\.fault/);
  const from = at.requests.length;
  await rigged.settle();
  assert.deepEqual(sorted(steward.read.keys()), sorted(steward.channels.keys()));
  const again = at.requests
    .slice(from)
    .filter(({ path }) => path.startsWith(`channels/${first}/posts?include_deleted`));
  assert.equal(again.length, 0);
  assert.ok(steward.read.has(talk.id));
});

test('the list of due channels is fetched once, not before each channel, because Steward sorts all channels for it', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, team } = rigged;
  for (let number = 0; number < 20; number += 1) at.addChannel(team, `room-${number}`);
  await rigged.settle();
  assert.equal(steward.read.size, 23);
  const lists = steward.calls.filter((call) => call === 'GET channels').length;
  assert.ok(lists < 10, `${lists} times`);
});

test('a list that fails in the middle removes nothing at Steward', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, bridge, talk, ada, pass } = rigged;
  for (let count = 0; count < 450; count += 1) at.post(talk, ada);
  await rigged.settle();
  pass(7 * DAY_MS);
  at.fault({ path: /&page=2$/, status: 503 });
  await takeLease(bridge);
  await assert.rejects(async () => {
    for (;;) await runRound(bridge);
  });
  assert.equal(steward.read.get(talk.id)!.messages.size, 450);
});

test('changes are found by a hint once a minute, and backdated messages by a complete list within a week', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, talk, ada, old, longAgo, pass } = rigged;
  const post = old();
  at.post(talk, ada);
  await rigged.settle();
  pass(60_000);
  const added = at.post(talk, ada);
  at.edit(post, 'other words');
  const backdated = longAgo(() => at.importPost(talk, ada));
  await rigged.settle();
  const messages = () => steward.read.get(talk.id)!.messages;
  assert.equal(messages().size, 4, 'two messages, a version, and the new one');
  assert.ok(messages().has(added.id) && !messages().has(backdated.id));
  pass(60_000);
  const from = at.requests.length;
  await rigged.settle();
  const asked = at.requests.slice(from).filter(({ path }) => path.startsWith(`channels/${talk.id}`));
  assert.deepEqual(
    asked.map(({ status }) => status),
    [304],
    'nothing changed, so nothing is read',
  );
  pass(6 * DAY_MS);
  await rigged.settle();
  assert.deepEqual(sorted(messages().keys()), listIds(rigged));
});

test('what vanished at the server vanishes here with the next complete list', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, talk, old, pass } = rigged;
  const post = old();
  await rigged.settle();
  at.world.posts.remove(post);
  pass(7 * DAY_MS);
  await rigged.settle();
  assert.equal(steward.read.get(talk.id)!.messages.size, 0);
});

test('a channel that can’t be read is left alone for an hour, and the others are read', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, talk, lines, pass } = rigged;
  at.fault({ path: new RegExp(`channels/${talk.id}/posts`), status: 403 });
  await rigged.settle();
  assert.deepEqual(sorted(steward.read.keys()), sorted([...steward.channels.keys()].filter((id) => id !== talk.id)));
  assert.equal(lines.filter((line) => line.includes(talk.id)).length, 1);
  at.world.faults.splice(0);
  pass(3_600_001);
  await rigged.settle();
  assert.ok(steward.read.has(talk.id));
});

test('an order is rehearsed first and deletes whole threads with everything in them', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, talk, ada, ben, old, longAgo, lines } = rigged;
  const root = old({ file_ids: [longAgo(() => at.file(ada, 'a.txt').id)] });
  const reply = old({ root_id: root.id, file_ids: [longAgo(() => at.file(ada, 'b.txt').id)] });
  longAgo(() => at.edit(reply, 'edited'));
  const living = old();
  const young = at.post(talk, ben, { root_id: living.id });
  await rigged.settle();
  openOrder(rigged);
  await rigged.settle();
  assert.deepEqual(sorted(listIds(rigged)), sorted([living.id, young.id]));
  assert.deepEqual([...steward.outcomes.values()], ['gone', 'gone', 'gone']);
  assert.deepEqual([at.counts().fileInfo, at.counts().disk], [0, 0]);
  assert.deepEqual(sorted(steward.read.get(talk.id)!.messages.keys()), sorted([living.id, young.id]));
  assert.deepEqual(lines, ['The rehearsal passed.']);
  assert.ok(steward.calls.indexOf('PUT rehearsal') < steward.calls.indexOf('POST permits/:/begin'));
});

test('nothing is deleted while a check or the rehearsal fails', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, bridge, old } = rigged;
  const post = old();
  await rigged.settle();
  openOrder(rigged);
  at.set('ServiceSettings', 'EnableAPIPostDeletion', false);
  await reportSetup(bridge);
  assert.deepEqual(
    steward.status?.checks.map(({ passed }) => passed),
    [false],
  );
  await rigged.settle();
  assert.equal(steward.calls.includes('POST permits/:/begin'), false);
  at.set('ServiceSettings', 'EnableAPIPostDeletion', true);
  await reportSetup(bridge);
  at.fault({ path: /files\/\w+\/info/, body: JSON.stringify({ id: 'z'.repeat(26) }) });
  await rigged.settle();
  assert.ok(steward.rehearsal?.checks.some(({ passed }) => !passed));
  assert.equal(steward.calls.includes('POST permits/:/begin'), false);
  assert.ok(at.world.posts.byId.has(post.id));
});

test('a thread that is larger than a permit goes by several, its root last', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, old, longAgo } = rigged;
  const root = old();
  for (let count = 0; count < 450; count += 1) {
    const reply = old({ root_id: root.id });
    if (count % 100 === 0) longAgo(() => at.edit(reply, 'edited'));
  }
  await rigged.settle();
  openOrder(rigged);
  await rigged.settle();
  assert.deepEqual(listIds(rigged), []);
  assert.equal(steward.outcomes.size, 456);
  assert.deepEqual(new Set(steward.outcomes.values()), new Set(['gone']));
});

test('a reply between the list and the permit keeps its thread, also when the bridge has to read the channel again', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, talk, ben, old, bridge } = rigged;
  const root = old();
  await rigged.settle();
  openOrder(rigged);
  steward.rehearsal = { checks: [{ passed: true }] };
  steward.read.get(talk.id)!.began = steward.now() + 1;
  bridge.sweptAt.clear();
  const reply = at.post(talk, ben, { root_id: root.id });
  await rigged.settle();
  assert.ok(at.world.posts.byId.has(root.id) && at.world.posts.byId.has(reply.id));
});

test('a deletion that was interrupted is finished by another process', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, bridge, talk, old, longAgo, ada, pass } = rigged;
  const root = old();
  for (let count = 0; count < 10; count += 1) {
    old({ root_id: root.id, file_ids: [longAgo(() => at.file(ada, 'a.txt').id)] });
  }
  await rigged.settle();
  openOrder(rigged);
  let deletions = 0;
  at.world.killAt = (post, stage) => {
    if (post.channel_id === talk.id && stage === 'disk') deletions += 1;
    return deletions === 5;
  };
  await rigged.settle();
  assert.ok(at.world.isDown && steward.permit?.begun);
  at.restart();
  Object.assign(bridge, { permitsFrom: 0, listedScope: undefined });
  bridge.sweptAt.clear();
  pass(60_000);
  await rigged.settle();
  assert.deepEqual([listIds(rigged), at.counts().fileInfo, at.counts().disk], [[], 0, 0]);
  assert.equal([...steward.outcomes.values()].filter((outcome) => outcome === 'gone').length, 11);
});

test('outcomes that Steward does not get are reported again', async () => {
  await using rigged = await bridgeRig();
  const { steward, old, pass } = rigged;
  for (let count = 0; count < 3; count += 1) old();
  await rigged.settle();
  openOrder(rigged);
  steward.fault = (call) => (call === 'POST permits/:/outcomes' ? 500 : undefined);
  await assert.rejects(rigged.settle(), /reportOutcomes failed: 500/);
  steward.fault = () => undefined;
  pass(60_000);
  await rigged.settle();
  assert.deepEqual([...steward.outcomes.values()], ['gone', 'gone', 'gone']);
});

test('a permit that became void deletes nothing', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, bridge, old } = rigged;
  const post = old();
  await rigged.settle();
  openOrder(rigged);
  steward.fault = (call) => {
    if (call !== 'POST permits/:/begin') return undefined;
    steward.permit = undefined;
    steward.order = undefined;
    return undefined;
  };
  await rigged.settle();
  assert.ok(at.world.posts.byId.has(post.id));
  assert.equal(bridge.lease !== undefined, true);
});

test('versions that an edit in flight left are counted, and their message is gone with them', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, talk, old } = rigged;
  old();
  await rigged.settle();
  openOrder(rigged);
  at.world.whenDeleting = (post) => (post.channel_id === talk.id && post.original_id === '' ? 'edit' : undefined);
  await rigged.settle();
  assert.deepEqual([listIds(rigged), [...steward.outcomes.values()], steward.orphans], [[], ['gone'], 1]);
});

test('a permit of a server that answers 200 and does nothing ends with residue, and the rest of the order is done', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, old, pass } = rigged;
  const [stuck, other] = [old(), old()];
  await rigged.settle();
  openOrder(rigged);
  at.fault({ method: 'DELETE', path: new RegExp(stuck.id), status: 200 });
  for (let attempt = 0; attempt < 5; attempt += 1) {
    assert.ok(steward.order !== undefined, 'it is repeated');
    await rigged.settle();
    pass(30_001);
  }
  await rigged.settle();
  assert.deepEqual(Object.fromEntries(steward.outcomes), { [stuck.id]: 'residue', [other.id]: 'gone' });
  assert.equal(steward.order, undefined);
});

test('a permit that was begun before the last team left gets its outcomes by reading, and nothing else is done', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, bridge, talk, old, longAgo, ada, pass } = rigged;
  const posts = [1, 2, 3].map(() => old({ file_ids: [longAgo(() => at.file(ada, 'a.txt').id)] }));
  await rigged.settle();
  openOrder(rigged);
  let deletions = 0;
  at.world.killAt = (post, stage) => {
    if (post.channel_id === talk.id && stage === 'done') deletions += 1;
    return deletions === 2;
  };
  await rigged.settle();
  assert.ok(at.world.isDown && steward.permit?.begun);
  at.restart();
  pass(30_001);
  steward.mappings[0]!.accepted = false;
  await takeLease(bridge);
  const from = at.requests.length;
  await runRound(bridge);
  assert.ok(at.requests.slice(from).every(({ method }) => method === 'GET'));
  assert.deepEqual([...steward.outcomes.values()].sort(), ['changed', 'gone', 'gone']);
  assert.equal(posts.filter(({ id }) => at.world.posts.byId.has(id)).length, 1);
});

test('a channel whose list takes over an hour is reported as slow', async () => {
  await using rigged = await bridgeRig();
  const { steward, bridge, pass } = rigged;
  await takeLease(bridge);
  assert.equal(await runRound(bridge), 'done');
  steward.fault = (call) => {
    if (call === 'POST lists') pass(3_601_000);
    return undefined;
  };
  assert.equal(await runRound(bridge), 'done');
  assert.deepEqual([...steward.readOnly.values()], ['slow']);
  assert.deepEqual([...steward.readOnly.keys()], [...steward.read.keys()]);
});

test('a channel that the server fails to list again and again is reported, and the others are read', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, talk, pass } = rigged;
  at.fault({ path: new RegExp(`channels/${talk.id}/posts`), status: 500 });
  const settle = () => rigged.settle().catch(() => undefined);
  for (let round = 0; round < 3; round += 1) await settle();
  assert.deepEqual(sorted(steward.read.keys()), sorted([...steward.channels.keys()].filter((id) => id !== talk.id)));
  assert.deepEqual([...steward.readOnly], []);
  pass(300_001);
  await settle();
  assert.deepEqual([...steward.readOnly], [[talk.id, 'refused']]);
  at.world.faults.splice(0);
  pass(300_001);
  await rigged.settle();
  assert.ok(steward.read.has(talk.id) && steward.readOnly.size === 0);
});

test.each([500, 404])('a server that answers %i to everything says nothing about a channel', async (status) => {
  await using rigged = await bridgeRig();
  const { at, steward, bridge } = rigged;
  await takeLease(bridge);
  await runRound(bridge);
  at.fault({ path: /./, status, body: 'Not now' });
  for (let round = 0; round < 9; round += 1) await assert.rejects(runRound(bridge), new RegExp(`${status}`));
  assert.deepEqual([[...steward.readOnly], [...bridge.unreadable]], [[], []]);
  at.world.faults.splice(0);
  await rigged.settle();
  assert.deepEqual(sorted(steward.read.keys()), sorted(steward.channels.keys()));
});

test('a channel that is refused after an order named it holds up no other channel of the order', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, team, talk, ada, old, longAgo } = rigged;
  const more = at.addChannel(team, 'more');
  const [first, second] = [old(), longAgo(() => at.post(more, ada))];
  await rigged.settle();
  openOrder(rigged);
  at.fault({ path: new RegExp(`channels/${talk.id}/posts`), status: 403 });
  await rigged.settle();
  assert.deepEqual([...steward.readOnly], [[talk.id, 'refused']]);
  assert.ok(at.world.posts.byId.has(first.id) && !at.world.posts.byId.has(second.id));
});

test('a thousand messages dated 2099 don’t keep the bridge reading their channel again and again', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, talk, ada, old } = rigged;
  const post = old();
  const future = Date.parse('2099-01-01T00:00:00Z');
  for (let count = 0; count < 1_000; count += 1) at.importPost(talk, ada, { create_at: future, update_at: future });
  await rigged.settle();
  openOrder(rigged);
  await rigged.settle();
  assert.deepEqual([...steward.outcomes], [[post.id, 'gone']]);
  assert.equal([...at.world.posts.inChannel(talk.id)].length, 1_000);
});

test('work of admins is done and reported, and the list of people follows', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, bridge, team, ada } = rigged;
  at.addToTeam(team, ada);
  await rigged.settle();
  steward.work.push({ id: W1, action: 'deactivate', user_id: ada.id, team_id: team.id, channel_ids: [] });
  steward.work.push({
    id: W2,
    action: 'revoke_sessions',
    user_id: bridge.setup!.owner!,
    team_id: team.id,
    channel_ids: [],
  });
  assert.equal(await serveWork(bridge), 2);
  assert.equal(steward.workOutcomes.get(W1)?.outcome, 'done');
  assert.equal(steward.workOutcomes.get(W2)?.outcome, 'refused');
  await rigged.settle();
  assert.ok(steward.users.get(ada.id)!.deactivated_at > 0);
});

test('work that the server does not answer stays open, and the next piece is done', async () => {
  await using rigged = await bridgeRig();
  const { at, steward, bridge, team, ada, ben, lines } = rigged;
  for (const user of [ada, ben]) at.addToTeam(team, user);
  at.fault({ method: 'POST', path: new RegExp(`${ada.id}/sessions`), times: 1, status: 500 });
  for (const [id, user] of [
    [W1, ada],
    [W2, ben],
  ] as const) {
    steward.work.push({ id, action: 'revoke_sessions', user_id: user.id, team_id: team.id, channel_ids: [] });
  }
  assert.equal(await serveWork(bridge), 1);
  assert.match(lines.join(), /revoke_sessions stays open/);
  assert.equal(await serveWork(bridge), 1);
  assert.equal(steward.workOutcomes.size, 2);
});

test('a bridge without the lease does nothing, and begins anew when it gets it', async () => {
  await using rigged = await bridgeRig();
  const { steward, bridge } = rigged;
  await rigged.settle();
  steward.lease = 'of another bridge';
  await assert.rejects(takeLease(bridge), /connector\.leased/);
  const from = rigged.at.requests.length;
  assert.equal(await runRound(bridge), 'nothing');
  assert.equal(rigged.at.requests.length, from);
  steward.lease = undefined;
  await rigged.settle();
  assert.ok(rigged.at.requests.slice(from).some(({ path }) => path.startsWith('users?')));
});

test('a wrong token of Steward is an error with its id', async () => {
  await using rigged = await bridgeRig();
  const steward = createSteward({ url: rigged.steward.url, token: 'x' });
  await assert.rejects(steward.call('takeLease', { body: { bridge: 'x' } }), { error: 'connector.token_required' });
});
