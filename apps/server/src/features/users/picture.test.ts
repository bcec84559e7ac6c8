import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { createTeamWithMembers, type TestTeam, team, user } from '#testing/workspace/factories.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const fetchPicture = (id: string, cookie = ours.member.cookie) =>
  send(node, { url: `/api/v4/users/${id}/image?_=1`, headers: { cookie } });

describe('the picture of a user', () => {
  test('shows initials to users who share a team, as an image without scripts', async () => {
    const who = await user(node, { team: ours.id, first_name: 'ada', last_name: '<script>' });
    const reply = await fetchPicture(who.id);
    assert.equal(reply.status, 200);
    assert.match(String(reply.headers['content-type']), /^image\/svg\+xml/);
    assert.match(reply.text, />A&#60;<\/text>/);
    assert.doesNotMatch(reply.text, /script/i);
    assert.match(String(reply.headers['content-security-policy']), /default-src 'none'/);
    assert.equal(reply.headers['cache-control'], 'private, max-age=86400');
  });

  test('has whole characters, or the address without a name', async () => {
    const emoji = await user(node, { team: ours.id, first_name: '👨‍👩‍👧x', last_name: '🇩🇪' });
    assert.match((await fetchPicture(emoji.id)).text, />👨‍👩‍👧🇩🇪<\/text>/u);
    const sharp = await user(node, { team: ours.id, first_name: 'ßen', last_name: 'क्षितिज' });
    assert.match((await fetchPicture(sharp.id)).text, />ßक्षि<\/text>/u);
    const nameless = await user(node, { team: ours.id, first_name: '', last_name: '', email: 'quiet@example.test' });
    assert.match((await fetchPicture(nameless.id)).text, />Q<\/text>/);
  });

  test('is refused without a session, and unknown to users of other teams and for malformed ids', async () => {
    assert.equal((await fetchPicture(ours.owner.id, '')).status, 401);
    const stranger = await user(node, { team: await team(node) });
    for (const id of [stranger.id, newId(), 'me', '%00', '..%2f..'])
      assert.equal((await fetchPicture(id)).status, 404, id);
  });
});
