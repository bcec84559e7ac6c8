import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { connectIntegration, getIntegration, previewTemplate, saveIntegration } from '@steward/contract/integrations';
import { listDeliveries } from '@steward/contract/integrations/deliveries';
import type { Verification } from '@steward/contract/integrations/verification';
import { parse } from 'marked';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call, send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { channel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { base64 } from '#testing/workspace/helpdesk.ts';
import { listChannelTexts } from '#testing/workspace/integrations.ts';
import { toIntegrationId } from '../../registry.ts';
import { TEMPLATES } from '../../template-registry.ts';
import { readStandardKey } from '../authenticate.ts';
import type { Sample, Sender } from './sender.ts';
import { SENDERS } from './senders.ts';

let node: TestApp;
/** For previews, which deliver nothing. */
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp();
  ours = await createTeamWithMembers(node);
});
afterAll(() => node[Symbol.asyncDispose]());

const getSender = (code: string) => SENDERS.find((sender) => sender.code === code) ?? assert.fail(code);

/** The text that the sender's default template makes of a request. */
function toText({ code, defaultTemplate }: Sender, { headers = {}, payload }: Partial<Sample>): string {
  const message = TEMPLATES[code]?.toMessage({ domain: '', message: defaultTemplate }, JSON.stringify(payload), {
    headers,
  });
  assert.equal(message?.note, '');
  return message?.text.replaceAll('\u2060', '¦') ?? '';
}

/** Proves a body as the sender documents it. */
function prove(verification: Verification, secret: string, body: string): Record<string, string> {
  const time = String(Math.floor(Date.now() / 1000));
  const { method, header, prefix, timestamp_header, separator } = verification;
  if (method === 'bearer') return { authorization: `Bearer ${secret}` };
  if (method === 'token') return { [header]: secret };
  if (method === 'standard') {
    const key = readStandardKey(secret) ?? assert.fail('not a key');
    const signature = createHmac('sha256', key).update(`msg_1.${time}.${body}`).digest('base64');
    return { 'webhook-id': 'msg_1', 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
  }
  const signed = timestamp_header === '' ? body : `${time}${separator}${body}`;
  const signature = prefix + createHmac('sha256', secret).update(signed).digest('hex');
  return { [header]: signature, ...(timestamp_header !== '' && { [timestamp_header]: time }) };
}

/** Connects the sender, in a new team by default. */
async function connected({ code }: Sender, form: object = {}, at?: TestTeam) {
  const team = at ?? (await createTeamWithMembers(node));
  const room = await channel(node, team.id);
  const sending = { as: team.admin, params: { teamId: team.id, integrationId: toIntegrationId(team.id, code) } };
  const body = { domain: '', username: '', authentication: 2 as const, ...form };
  const reply = await call(node, connectIntegration, { ...sending, body });
  assert.equal(reply.status, 200, reply.text);
  const change = (fields: object) =>
    call(node, saveIntegration, { ...sending, body: { integration: sending.params.integrationId, ...fields } });
  assert.equal((await change({ channel_details: [{ channel_id: room.id }] })).status, 200);
  const url = new URL((await call(node, getIntegration, sending)).body.hook_url).pathname;
  return {
    sending,
    change,
    secret: reply.body.secret as string | undefined,
    detail: async () => (await call(node, getIntegration, sending)).body,
    post: (text: string, headers: Record<string, string>, type = 'application/json') =>
      send(node, { method: 'POST', url, headers: { 'content-type': type, ...headers }, body: Buffer.from(text) }),
    texts: async () => {
      await settled(node);
      return listChannelTexts(node, room);
    },
  };
}

/** Secrets as senders show them. */
const secretOfSender = (method: Verification['method']) =>
  method === 'standard' ? `whsec_${Buffer.alloc(32, 7).toString('base64')}` : 'f'.repeat(64);

for (const sender of SENDERS)
  describe(sender.name, () => {
    for (const { label, verification, secret_from, fields } of sender.verifications)
      test(`posts its sample when requests are verified by: ${label}`, async () => {
        const settings = fields.includes('header') ? { ...verification, header: 'X-Proof' } : verification;
        const form = {
          verification: settings,
          ...(secret_from === 'sender' && { secret: secretOfSender(settings.method) }),
        };
        const hook = await connected(sender, form);
        const secret = hook.secret ?? secretOfSender(settings.method);
        const body = JSON.stringify(sender.sample.payload);
        const proof = prove({ ...settings, header: settings.header.toLowerCase() }, secret, body);
        const headers = { ...sender.sample.headers, ...proof };
        for (let count = 0; count < 2; count += 1) assert.equal((await hook.post(body, headers)).status, 200);
        const { id, ...wrong } = (await hook.post(body, { ...headers, ...prove(settings, 'x'.repeat(44), body) })).body;
        assert.equal(id, 'helpdesk.bad_signature', JSON.stringify(wrong));
        assert.equal((await hook.post(body, sender.sample.headers)).status, 401);
        // Without an id, the second one is another event.
        const posts = sender.eventIds.some((name) => Object.hasOwn(headers, name)) ? 1 : 2;
        assert.deepEqual(
          (await hook.texts()).map((text) => text.replaceAll('\u2060', '¦')),
          Array.from({ length: posts }, () => toText(sender, sender.sample)),
        );
        const { records } = (await call(node, listDeliveries, hook.sending)).body;
        assert.equal(records.length, 2);
        assert.ok(!JSON.stringify(records).includes(secret));
      });

    test('is previewed with its sample, and the template can be saved', async () => {
      const hook = await connected(sender, {}, ours);
      const message = base64(sender.defaultTemplate);
      const { text, problems } = (await call(node, previewTemplate, { ...hook.sending, body: { message } })).body;
      assert.deepEqual(problems, []);
      assert.ok(text.length > 10, text);
      assert.equal((await hook.change({ message })).status, 200);
    });

    test('posts something readable even if nothing that the template knows is there', () => {
      for (const payload of [{}, { alerts: [{}] }, { data: {} }, { object_attributes: {} }, { x: { y: [1] } }])
        assert.match(toText(sender, { payload }), /\w{4}/, JSON.stringify(payload));
    });

    test('has values that add no markup, whatever they are', () => {
      const spoilt = '*a* _b_ `c` [d](https://evil.example) ![e](x) <b>f</b> @all ~g #h\n# i\n- j\n1. k | l';
      const tags = (text: string) =>
        Array.from(
          parse(text.replaceAll('¦', '\u2060'), { gfm: true, async: false }).matchAll(/<(\w+)/g),
          ([, name]) => name,
        )
          .filter((name) => name !== 'p' && name !== 'br' && name !== 'a')
          .sort();
      const replaced = (value: unknown, by: string): unknown => {
        if (typeof value === 'string') return value.startsWith('https://') ? value : by;
        if (Array.isArray(value)) return value.map((each) => replaced(each, by));
        if (typeof value !== 'object' || value === null) return value;
        return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each, by)]));
      };
      const rendered = (by: string) =>
        toText(sender, {
          headers: sender.sample.headers,
          payload: replaced(sender.sample.payload, by) as Sample['payload'],
        });
      assert.deepEqual(tags(rendered(spoilt)), tags(rendered('word')));
      assert.doesNotMatch(rendered(spoilt), /@all|~g|#h|\]\(https/);
    });
  });

describe('GitHub', () => {
  const about = {
    repository: { full_name: 'acme/shop', html_url: 'https://github.com/acme/shop' },
    sender: { login: 'ada' },
  };
  const text = (event: string, payload: object) =>
    toText(getSender('github'), { headers: { 'x-github-event': event }, payload: { ...about, ...payload } });

  test('posts pushes with their commits', () => {
    const commits = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((name) => ({
      message: `${name} *more*\n\nThe body of the commit.`,
      author: { name: 'Grace' },
    }));
    const push = {
      ref: 'refs/heads/main',
      compare: 'https://github.com/acme/shop/compare/0d1a26e67d8f...6dcb09b5b578',
    };
    assert.equal(
      text('push', { ...push, commits, pusher: { name: 'ada' } }),
      [
        '**acme/shop**: push to main by ada',
        ...['One', 'Two', 'Three', 'Four', 'Five'].map((name) => `- ${name} \\*more\\* (Grace)`),
        '- and 1 more',
        push.compare,
      ].join('\n'),
    );
  });

  test('posts comments, runs, pings and events that the template has no words for', () => {
    const issue = { number: 7, title: 'Crash', html_url: 'https://github.com/acme/shop/issues/7' };
    const comment = { body: 'I see it too', html_url: `${issue.html_url}#issuecomment-1` };
    assert.equal(
      text('issue_comment', { action: 'created', issue, comment }),
      `**acme/shop**: issue comment created by ada\n#7 Crash\nI see it too\n${comment.html_url}`,
    );
    const html_url = 'https://github.com/acme/shop/actions/runs/1';
    const workflow_run = { name: 'CI', display_title: 'Retry payments', conclusion: 'failure', html_url };
    assert.equal(
      text('workflow_run', { action: 'completed', workflow_run }),
      `**acme/shop**: workflow run failure by ada\nRetry payments\n${html_url}`,
    );
    assert.equal(
      text('ping', { zen: 'Design for failure.', hook_id: 1 }),
      '**acme/shop**: ping by ada\nThe webhook is connected. Design for failure.\nhttps://github.com/acme/shop',
    );
    assert.equal(
      text('star', { action: 'created' }),
      '**acme/shop**: star created by ada\nhttps://github.com/acme/shop',
    );
  });

  test('can send a form, whose signature covers the form', async () => {
    const { sample, verifications, ...github } = getSender('github');
    const hook = await connected({ sample, verifications, ...github });
    const verification = verifications[0]?.verification ?? assert.fail();
    const form = new URLSearchParams({ payload: JSON.stringify(sample.payload) }).toString();
    const headers = { ...sample.headers, ...prove(verification, hook.secret ?? '', form) };
    const type = 'application/x-www-form-urlencoded';
    assert.equal((await hook.post(form, headers, type)).status, 200);
    assert.equal((await hook.post(form.replace('closed', 'opened'), headers, type)).status, 401);
    const other = 'other=1';
    assert.equal((await hook.post(other, prove(verification, hook.secret ?? '', other), type)).status, 400);
    assert.deepEqual(await hook.texts(), [toText({ sample, verifications, ...github }, sample)]);
  });
});

test('GitLab posts pushes, comments and pipelines', () => {
  const project = { path_with_namespace: 'acme/shop', web_url: 'https://gitlab.example.com/acme/shop' };
  const text = (payload: object) => toText(getSender('gitlab'), { payload: { project, ...payload } });
  const commits = [{ title: 'Retry', message: 'Retry\n\nMore.', author: { name: 'Grace' } }];
  assert.equal(
    text({ object_kind: 'push', ref: 'refs/heads/main', user_name: 'Ada', commits, total_commits_count: 7 }),
    `**acme/shop**: push to main by Ada\n- Retry (Grace)\n- and 2 more\n${project.web_url}`,
  );
  const url = `${project.web_url}/-/merge_requests/1#note_2`;
  const note = { note: 'Looks good', noteable_type: 'MergeRequest', url };
  assert.equal(
    text({ object_kind: 'note', user: { name: 'Ada' }, object_attributes: note, merge_request: { title: 'Retry' } }),
    `**acme/shop**: note by Ada\nOn Retry: Looks good\n${url}`,
  );
  const pipeline = { id: 31, ref: 'main', status: 'failed', url: `${project.web_url}/-/pipelines/31` };
  assert.equal(
    text({ object_kind: 'pipeline', user: { name: 'Ada' }, object_attributes: pipeline }),
    `**acme/shop**: pipeline failed by Ada\nmain\n${pipeline.url}`,
  );
});

test('Grafana and Alertmanager describe an alert without a text by its labels', () => {
  const alerts = [{ status: 'firing', labels: { job: 'shop', zone: 'eu_1' }, annotations: {} }];
  const payload = { status: 'firing', alerts, externalURL: 'http://alertmanager:9093' };
  assert.equal(
    toText(getSender('alertmanager'), { payload }),
    '**FIRING** Alertmanager (1)\n- **firing** job=shop zone=eu_1\nhttp://alertmanager:9093',
  );
  assert.match(
    toText(getSender('grafana'), { payload }),
    /^\*\*Grafana\*\* \(firing\)\n- \*\*firing\*\* job=shop zone=eu_1\n/,
  );
  const many = { ...payload, alerts: Array.from({ length: 12 }, () => alerts[0]) };
  assert.match(toText(getSender('alertmanager'), { payload: many }), /\n- and 2 more\n/);
});

test('Sentry posts issues, metric alerts and comments', () => {
  const text = (resource: string, payload: object) =>
    toText(getSender('sentry'), {
      headers: { 'sentry-hook-resource': resource },
      payload: payload as Sample['payload'],
    });
  const issue = { title: 'Oops', culprit: 'checkout', web_url: 'https://sentry.io/i/1', project: { slug: 'shop' } };
  assert.equal(
    text('issue', { action: 'created', actor: { name: 'Ada' }, data: { issue } }),
    '**Sentry, shop**: issue created by Ada\nOops\nin checkout\nhttps://sentry.io/i/1',
  );
  const alert = { description_title: 'Critical: Too many errors', description_text: '1000 events in 10 minutes' };
  assert.equal(
    text('metric_alert', { action: 'critical', data: { ...alert, web_url: 'https://sentry.io/a' } }),
    '**Sentry**: metric alert critical\nCritical: Too many errors\n1000 events in 10 minutes\nhttps://sentry.io/a',
  );
  assert.equal(
    text('comment', { action: 'created', actor: { name: 'Ada' }, data: { comment: 'Look', project_slug: 'shop' } }),
    '**Sentry, shop**: comment created by Ada\nLook',
  );
});

describe('a secret that the sender shows', () => {
  test('is entered later, and until then the tile asks for it and calls are refused', async () => {
    const sentry = getSender('sentry');
    const hook = await connected(sentry);
    assert.equal(hook.secret, undefined);
    const { health, warnings } = await hook.detail();
    assert.deepEqual([health, warnings.length], ['warning', 1]);
    const body = JSON.stringify(sentry.sample.payload);
    const verification = sentry.verifications[0]?.verification ?? assert.fail();
    assert.equal((await hook.post(body, prove(verification, '', body))).status, 401);
    const secret = 'a'.repeat(64);
    assert.equal((await hook.change({ secret: ` ${secret}\n` })).status, 200);
    assert.deepEqual((await hook.detail()).warnings, []);
    assert.equal((await hook.post(body, prove(verification, secret, body))).status, 200);
    assert.equal((await hook.texts()).length, 1);
  });

  test('that is too short, or has another form, is refused', async () => {
    const hook = await connected(getSender('standard'));
    for (const secret of ['whsec_short', 'whsec_!!!!!!!!!!!!!!!!!!!!!!!!', 'MfKQ9r8GKYqrTw'])
      assert.equal((await hook.change({ secret })).status, 400, secret);
    assert.equal((await hook.change({ secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })).status, 200);
  });
});

test('another method replaces the secret; a method that the sender does not have is refused', async () => {
  const gitlab = getSender('gitlab');
  const [signing, token] = gitlab.verifications.map(({ verification }) => verification);
  const hook = await connected(gitlab, { verification: token });
  assert.match(hook.secret ?? '', /^[\w-]{43}$/);
  assert.equal((await hook.change({ verification: token })).body.secret, undefined);
  const { secret } = (await hook.change({ verification: signing })).body;
  assert.match(secret, /^whsec_/);
  assert.equal((await hook.change({ verification: { ...token, method: 'bearer' } })).status, 400);
  // Only what an admin may change comes from the form.
  const spoilt = { ...signing, header: 'x-other', tolerance: 3_600 };
  assert.equal((await hook.change({ verification: spoilt })).status, 200);
  assert.deepEqual((await hook.detail()).verification, signing);
});
