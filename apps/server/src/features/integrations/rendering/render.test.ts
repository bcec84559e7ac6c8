import assert from 'node:assert/strict';
import { afterAll, test } from 'vitest';
import { createWorkerPool } from '#platform/workers/worker-pool.ts';
import { DEFAULT_TEMPLATE } from '../providers/zendesk/template/message.ts';
import { ZENDESK } from '../providers/zendesk/zendesk.ts';
import { type CheckTask, type MessageTask, render } from './render.ts';

type Task = CheckTask | MessageTask;

const pool = createWorkerPool<Task, unknown>({
  file: new URL('./template-thread.ts', import.meta.url),
  threads: 1,
  taskMs: 60_000,
  heapMb: 64,
  waitingPerKey: 8,
  tooMany: '',
  waitMs: 60_000,
  idleMs: 60_000,
});
afterAll(() => pool.close());

const PAYLOADS = [
  undefined,
  '{"title":"He said \\"hi\\" @all","url":"https://ci.example.com/1","list":[3,1,2,[4]],"deep":{"a":{"b":null}}}',
  '{"title":"\\u0000\\n#\\ud800","list":["b","a","b"],"deep":{"a":[{"b":1},{"b":2}]}}',
  'not JSON',
];

const request = (body: string | undefined) => (body === undefined ? undefined : { body, headers: {} });

/** Valid and invalid parts of templates. Each may be alone, follow another, or be nested in one. */
const PARTS = [
  '{"text": "{{ticket.title}}"}',
  '{{ title }} {{ payload.deep.a | map: "b" | join: "," }}',
  '{{ ticket.titel }}{{ ticket.requester.nme | upcas }}{{ xyzzy }}{{ ticket.comments }}{{ ticket.requester }}',
  '{% if list contains "a" or title == "x" %}yes{% else %}no{% endif %}',
  '{% for each in list reversed limit: 2 %}{{ forloop.index }}{{ each }}{% else %}none{% endfor %}',
  '{% for i in (1..ticket.tags.size) %}{{ i }}{% endfor %}{% for i in (2..4) %}{{ forloop.name }}{% endfor %}',
  '{% case ticket.status %}{% when "Open", "New" %}open{% when "x" or "y" %}x{% else %}else{% endcase %}',
  '{% assign a = title | split: " " %}{{ a | sort | uniq | size }} {{ a | first | replace: "H", "\\"" }}',
  '{% capture b %}{{ ticket.description | strip_html | truncate: 9 }}{% endcapture %}{{ b }}{{ b | size }}',
  '{% cycle "a", "b" %}{% increment n %}{% unless list == deep %}u{% endunless %}{% comment %}{{ x }}{% endcomment %}',
  '{{ ticket.created_at | date: "%Y-%m-%d %B" }} {{ 7 | divided_by: 2 }} {{ "a,b" | split: "," | last }}',
  '{%- if true -%}  {"a" 5} {%- endif -%}',
  '{% if x %}',
  '{{ ticket.title',
  '{% nosuch %}',
  '{{}}',
  '{% include "x" %}',
  '{% for i in (1..100000000) %}x{% endfor %}',
  '{% for i in (1..200) %}{{ ticket.description }}{{ payload }}{% endfor %}',
  'plain\n*text* <@here> #channel \\',
  ' \n',
];

/** Pseudo-random numbers that are the same in each run. */
function* numbers(): Generator<number, never> {
  for (let state = 7; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield state;
  }
}

function* createTasks(): Generator<Task> {
  const next = numbers();
  const pick = <T>(from: readonly T[]) => from[next.next().value % from.length] as T;
  const sources = [DEFAULT_TEMPLATE, ...PARTS, '{"text":"'.concat('{{ticket.titel}}'.repeat(30), '"}')];
  for (let count = 0; count < 30; count += 1) {
    const [one, other, third] = [pick(PARTS), pick(PARTS), pick(PARTS)];
    sources.push(pick([one + other, `${one}\n${other}${third}`, `{"text": "${one}", "b": {{ticket.id}}${other}}`]));
  }
  for (const source of sources) {
    const message = Buffer.from(source).toString('base64');
    const body = pick(PAYLOADS) ?? '{}';
    for (const code of ['zendesk', 'webhook'])
      yield {
        kind: 'check',
        code,
        message,
        last: request(pick(PAYLOADS)),
        domain: 'acme',
        prefix: pick(['', 'Test: ']),
      };
    for (const each of [body, new TextEncoder().encode(body)])
      yield { kind: 'message', code: 'webhook', settings: { domain: '', message: source }, body: each, headers: {} };
  }
  yield { kind: 'check', code: 'zendesk', message: '!!', last: undefined, domain: '', prefix: '' };
}

test('a thread returns the same as this function, to the byte', async () => {
  let texts = 0;
  let problems = 0;
  for (const task of createTasks()) {
    const here = render(task);
    assert.equal(JSON.stringify(await pool.run('team', task)), JSON.stringify(here), JSON.stringify(task));
    if (here.text !== '') texts += 1;
    if ('problems' in here && here.problems.length > 0) problems += 1;
  }
  assert.ok(texts > 60 && problems > 60, `${texts} texts and ${problems} problems are too few to compare`);
});

test('the message of a delivery of Zendesk needs no thread', () => {
  const settings = { domain: 'acme', message: '' };
  const body = '{"text":"https://acme.zendesk.com/agent/tickets/1 @all"}';
  assert.deepEqual(
    ZENDESK.toMessage?.(settings, body),
    render({ kind: 'message', code: 'zendesk', settings, body, headers: {} }),
  );
});

test('a long list, deeply nested, is shown without indentation instead of as 25 MB', () => {
  const nested = (length: number) => `{"list":${'['.repeat(98)}${Array(length).fill('"[,"').join()}${']'.repeat(98)}}`;
  const show = (payload: string) => {
    const message = Buffer.from('{{ list | size }}').toString('base64');
    const checked = render({ kind: 'check', code: 'webhook', message, last: request(payload), domain: '', prefix: '' });
    return 'json' in checked ? checked : assert.fail('not checked');
  };
  const long = nested(100_000);
  assert.equal(show(long).json, long);
  assert.equal(show(long).text, '1');
  const short = nested(10);
  assert.equal(show(short).json, JSON.stringify(JSON.parse(short), null, 2));
});
