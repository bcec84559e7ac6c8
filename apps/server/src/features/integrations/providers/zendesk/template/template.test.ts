import assert from 'node:assert/strict';
import { TEMPLATE_MAX } from '@steward/contract/api/limits';
import { parseTemplate } from '@steward/liquid/liquid.ts';
import { test } from 'vitest';
import { toRefusal } from '../../../message/template-problems.ts';
import { DEFAULT_TEMPLATE } from './message.ts';
import { checkTemplate } from './template.ts';
import { findSuggestion, findWarnings } from './template-warnings.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const check = (source: string) => checkTemplate(base64(source));
/** Each problem as `severity line:column text`. */
const findProblems = (source: string) =>
  check(source).problems.map(({ severity, line, column, text }) => `${severity} ${line}:${column} ${text}`);

function assertRefused(source: string, words: RegExp): void {
  const { json, problems } = check(source);
  assert.equal(json, '', source);
  assert.match(toRefusal(problems) ?? '', words, source);
}

test('the default template is valid, and shows number, subject, status, requester and link', () => {
  const { json, problems } = check(DEFAULT_TEMPLATE);
  assert.deepEqual(problems, []);
  assert.deepEqual(JSON.parse(json), {
    text: '#35 The printer on floor two is out of paper\nOpen, from Rita Requester\nhttps://acme.zendesk.com/agent/tickets/35',
  });
});

test('case 15: invalid base64, invalid UTF-8, empty and oversized templates are each refused with their own message', () => {
  const refusal = (message: string) => toRefusal(checkTemplate(message).problems);
  for (const message of ['!!', 'e30', 'e30 ', 'e31=', '{"text":"x"}'])
    assert.equal(refusal(message), 'The template is not base64.', message);
  assert.equal(refusal(Buffer.from([0x7b, 0xff, 0x7d]).toString('base64')), "The template isn't valid UTF-8.");
  assert.match(refusal(base64('{"text":"\0"}')) ?? '', /NUL/);
  for (const empty of ['', base64(' \n')]) assert.equal(refusal(empty), 'Enter a message.');
  const body = (size: number) => base64(`{"text":"${'x'.repeat(size - 11)}"}`);
  assert.equal(refusal(body(TEMPLATE_MAX)), null);
  assert.equal(refusal(body(61_000)), 'The template has 61,000 bytes; the maximum is 60,000.');
  assert.equal(refusal(base64('é'.repeat(40_000))), 'The template has 80,000 bytes; the maximum is 60,000.');
  assert.equal(refusal(base64('x'.repeat(300_000))), 'The template has 300,000 bytes; the maximum is 60,000.');
});

test('case 15: broken Liquid is refused with its line and column', () => {
  assertRefused('{"a":\n "{{ticket.title"}', /^Line 2, column 3: This \{\{ is never closed with \}\}/);
  assertRefused('{"a": "{% if x"}', /^Line 1, column 8: This \{% is never closed with %\}/);
  assertRefused('{% if x %}{}', /^Line 1, column 1: \{% if %\} has no matching \{% endif %\}/);
  assertRefused('{% raw %}{}', /\{% raw %\} has no matching \{% endraw %\}/);
  assertRefused('{}\n{% endif %}', /^Line 2, column 1: \{% endif %\} has no matching opening tag/);
  assertRefused('{% nosuch %}', /Unknown tag \{% nosuch %\}/);
  assertRefused('{"a": "{{}}"}', /The braces are empty/);
  assertRefused('{% for x of y %}{% endfor %}', /Invalid Liquid syntax: /);
});

test('case 15: invalid JSON is refused with its position in the template', () => {
  assertRefused('{\n  "text": "{{ticket.title}}"\n  "b": 2\n}', /^Line 3, column 3: Not valid JSON: missing comma/);
  assertRefused('{"a": "{{ticket.description}}", "b" 1}', /^Line 1, column 37: Not valid JSON: missing colon/);
  assertRefused('{% for c in ticket.comments %}\n{"a": {{c.id}} {% endfor %}', /^Line 2, column 1: .*missing comma/);
  assertRefused('{"a": {{ticket.title}}}', /^Line 1, column 7: Not valid JSON: text must be in double quotes/);
  assertRefused('{%- if true -%}\n  {"a" 5}\n{%- endif -%}', /^Line 2, column 8: .*missing colon/);
  assertRefused('{"text": "{{ticket.title}}"', /^Line 1, column 28: .*unexpected end/);
  for (const other of ['[1]', '5', '"text"', 'null']) assertRefused(other, /must be a JSON object/);
});

test('a template that quotes and line breaks in a ticket would break is refused', () => {
  assert.deepEqual(findProblems('{"text": "{{ticket.title | replace: "paper", "ink"}}"}'), []);
  const unsafe = check('{"text": "{% if ticket.requester.name contains "said" %}"{% endif %}"}');
  assert.match(
    toRefusal(unsafe.problems) ?? '',
    /^Line 1, column 69: Not valid JSON for a ticket with quotes and line breaks/,
  );
});

test('case 20: a placeholder outside quotes is a warning, since it breaks the JSON when empty', () => {
  assert.deepEqual(findProblems('{"text": "x", "assignee": {{ticket.assignee.id}}}'), [
    "warning 1:27 Put quotes around {{ticket.assignee.id}}. Otherwise the JSON is invalid when it's empty.",
  ]);
  assert.deepEqual(findProblems('{"text": "x", "a": {% if ticket.assignee %}"a"{% endif %}}'), [
    'warning 1:58 Not valid JSON when fields are empty: missing value.',
  ]);
  assert.deepEqual(findProblems('{"text": "\\"{{ticket.priority}}\\"", "id": {{ticket.id}}}'), []);
});

test('unknown placeholders and filters are warnings with suggestions', () => {
  const { problems } = check(
    '{"text": "{{ticket.titel}} {{ ticket.priority | upcas }} {{ticket.id | json}} {{xyzzy.foo}}"}',
  );
  assert.deepEqual(
    problems.map(({ severity, suggestion, column }) => [severity, suggestion, column]),
    [
      ['warning', 'ticket.title', 13],
      ['warning', 'upcase', 47],
      ['warning', null, 70],
      ['warning', null, 81],
    ],
  );
  assert.match(problems[2]?.text ?? '', /Unknown filter json\. Output is escaped for JSON automatically/);
  assert.match(problems[0]?.text ?? '', /Unknown placeholder ticket\.titel\. It prints nothing/);
});

test('of hundreds of unknown names, only the twenty that are shown are compared with the known ones', () => {
  const source = `{"text": "x${Array.from({ length: 300 }, (_, nth) => `{{ticket.titel${nth}}}{{x|upcas}}`).join('')}"}`;
  const found = findWarnings(source, parseTemplate(source));
  assert.equal(found.length, 601);
  assert.ok(found.every(({ suggestion }) => typeof suggestion === 'function'));
  const { problems } = check(source);
  assert.deepEqual(problems, found.slice(0, 20).map(findSuggestion));
  assert.deepEqual(
    problems.slice(0, 3).map(({ suggestion }) => suggestion),
    ['ticket.title', null, 'upcase'],
  );
});

test("assigned variables aren't placeholders, and quoted bars aren't filters", () => {
  const loop = '{% for c in ticket.comments %}{{c.value | append: " | nosuch" }}{{forloop.index}}{% endfor %}';
  assert.deepEqual(findProblems(`{% assign who = ticket.requester.name %}{"text": "{{who}} ${loop}"}`), []);
});

test('a list or a person on its own is a warning', () => {
  assert.match(findProblems('{"text": "{{ticket.comments}}"}').join(), /ticket\.comments has no readable value/);
  assert.equal(check('{"text": "{{ticket.requester}}"}').problems[0]?.suggestion, 'ticket.requester.name');
});

test('a message without text is a warning', () => {
  for (const source of ['{}', '{"text": ""}'])
    assert.match(findProblems(source).join(), /^warning .*The message has no text/);
});

test("expressions can't reach files, prototypes or functions", () => {
  for (const tag of [
    '{% include "/etc/passwd" %}',
    '{% render "x" %}',
    '{% layout "x" %}',
    '{% block x %}{% endblock %}',
  ])
    assertRefused(`{"text": "${tag}"}`, /isn't supported: templates can't include files/);
  for (const name of [
    '__proto__',
    'constructor',
    'ticket.constructor.name',
    'ticket.__proto__.x',
    'ticket.requester.toString',
  ])
    assert.deepEqual(JSON.parse(check(`{"text": "[{{${name}}}]"}`).json), { text: '[]' }, name);
  assert.equal(check('{"__proto__": {"text": "x"}, "text": "y"}').problems.length, 0);
  assert.deepEqual(JSON.parse(check('{"text": "{{ticket.title | raw | json | inspect}}"}').json), {
    text: 'The printer on floor two is out of paper',
  });
});

test("templates that don't terminate, grow or nest without limit are refused quickly", () => {
  const grown = (filter: string) =>
    `{% assign a = "xxxxxxxxxx" %}{% for i in (1..60) %}{% assign a = a | ${filter} %}{% endfor %}{"text": "{{a}}"}`;
  const endless = [
    '{"text": "{% for i in (1..100000000) %}x{% endfor %}"}',
    '{"text": "{% for i in (1..80) %}{% for j in (1..80) %}{% assign x = j %}{% endfor %}{% endfor %}"}',
    '{% assign a = "xxxxxxxxxx" %}{% for i in (1..18) %}{% capture a %}{{a}}{{a}}{% endcapture %}{% endfor %}{"text": "{{a | size}}"}',
    grown('append: a'),
    grown('replace: "x", "xxxxxxxxxx"'),
    grown('split: "" | join: "xxxxxxxxxx"'),
    '{"text": "{{ "now" | date: "%999999999d" }}"}',
  ];
  for (const source of endless) assertRefused(source, /doesn't terminate, or produces too much text/);
  assertRefused(`${'{% if true %}'.repeat(2_000)}{}`, /placeholders and tags/);
  assertRefused(
    `${'{% if true %}'.repeat(60)}{}${'{% endif %}'.repeat(60)}`,
    /^Line 1, column 651: .*nested too deeply/,
  );
  assert.notEqual(check(`${'{% if true %}{% endif %}'.repeat(60)}{"text": "x"}`).json, '');
  assertRefused(`{"a": "{{${'a['.repeat(900)}1${']'.repeat(900)}}}"}`, /too long/);
  assertRefused(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, /nested more than 100 levels deep/);
  assertRefused(`{"text": "${'{{x}}'.repeat(1_001)}"}`, /more than 1000 placeholders and tags/);
  const large = '{% for i in (1..150) %}{{ticket.latest_comment.value}}'.concat('x'.repeat(2_000), '{% endfor %}');
  assertRefused(`{"text": "${large}"}`, /larger than Zendesk.s limit/);
});
