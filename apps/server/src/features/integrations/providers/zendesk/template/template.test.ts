import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEMPLATE_MAX } from '@steward/contract/api/limits';
import { toRefusal } from '../../../message/template-problems.ts';
import { checkTemplate, DEFAULT_TEMPLATE } from './template.ts';

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

test('the default template is fine, and says number, subject, status, requester and link', () => {
  const { json, problems } = check(DEFAULT_TEMPLATE);
  assert.deepEqual(problems, []);
  assert.deepEqual(JSON.parse(json), {
    text: '#35 The printer on floor two is out of paper\nOpen, from Rita Requester\nhttps://acme.zendesk.com/agent/tickets/35',
  });
});

test('case 15: what is no base64, no text, empty, or larger than the vendor takes is refused, each in its own words', () => {
  const refusal = (message: string) => toRefusal(checkTemplate(message).problems);
  for (const message of ['!!', 'e30', 'e30 ', 'e31=', '{"text":"x"}'])
    assert.equal(refusal(message), 'The template is not base64.', message);
  assert.equal(refusal(Buffer.from([0x7b, 0xff, 0x7d]).toString('base64')), 'The template is not text in UTF-8.');
  assert.match(refusal(base64('{"text":"\0"}')) ?? '', /NUL/);
  for (const empty of ['', base64(' \n')]) assert.equal(refusal(empty), 'Please write the message.');
  const body = (size: number) => base64(`{"text":"${'x'.repeat(size - 11)}"}`);
  assert.equal(refusal(body(TEMPLATE_MAX)), null);
  assert.equal(refusal(body(61_000)), 'The template has 61,000 bytes; it may have 60,000.');
  assert.equal(refusal(base64('é'.repeat(40_000))), 'The template has 80,000 bytes; it may have 60,000.');
  assert.equal(refusal(base64('x'.repeat(300_000))), 'The template has 300,000 bytes; it may have 60,000.');
});

test('case 15: broken Liquid is refused with its line and column', () => {
  assertRefused('{"a":\n "{{ticket.title"}', /^Line 2, column 3: What begins here with \{\{ is not closed/);
  assertRefused('{"a": "{% if x"}', /^Line 1, column 8: What begins here with \{% is not closed/);
  assertRefused('{% if x %}{}', /^Line 1, column 1: \{% if %\} needs \{% endif %\}/);
  assertRefused('{% raw %}{}', /\{% raw %\} needs \{% endraw %\}/);
  assertRefused('{}\n{% endif %}', /^Line 2, column 1: Nothing is open here/);
  assertRefused('{% nosuch %}', /Liquid does not know \{% nosuch %\}/);
  assertRefused('{"a": "{{}}"}', /A placeholder is missing between the braces/);
  assertRefused('{% for x of y %}{% endfor %}', /not written as Liquid wants it/);
});

test('case 15: what is not a JSON object is refused at the place in the template', () => {
  assertRefused(
    '{\n  "text": "{{ticket.title}}"\n  "b": 2\n}',
    /^Line 3, column 3: This is not JSON: a comma is missing/,
  );
  assertRefused('{"a": "{{ticket.description}}", "b" 1}', /^Line 1, column 37: This is not JSON: a colon is missing/);
  assertRefused(
    '{% for c in ticket.comments %}\n{"a": {{c.id}} {% endfor %}',
    /^Line 2, column 1: .*a comma is missing/,
  );
  assertRefused('{"a": {{ticket.title}}}', /^Line 1, column 7: This is not JSON: a text needs double quotes/);
  assertRefused('{%- if true -%}\n  {"a" 5}\n{%- endif -%}', /^Line 2, column 8: .*a colon is missing/);
  assertRefused('{"text": "{{ticket.title}}"', /^Line 1, column 28: .*ends too early/);
  for (const other of ['[1]', '5', '"text"', 'null']) assertRefused(other, /must be a JSON object/);
});

test('what quotes and line breaks of a ticket would break is refused', () => {
  assert.deepEqual(findProblems('{"text": "{{ticket.title | replace: "paper", "ink"}}"}'), []);
  const harmed = check('{"text": "{% if ticket.requester.name contains "said" %}"{% endif %}"}');
  assert.match(
    toRefusal(harmed.problems) ?? '',
    /^Line 1, column 69: With quotes and line breaks in a ticket this is not JSON/,
  );
});

test('case 20: a placeholder outside quotes warns, since it breaks where it is empty', () => {
  assert.deepEqual(findProblems('{"text": "x", "assignee": {{ticket.assignee.id}}}'), [
    'warning 1:27 Put quotes around {{ticket.assignee.id}}: where it is empty, the JSON breaks.',
  ]);
  assert.deepEqual(findProblems('{"text": "x", "a": {% if ticket.assignee %}"a"{% endif %}}'), [
    'warning 1:58 With empty fields in a ticket this is not JSON: a value is missing.',
  ]);
  assert.deepEqual(findProblems('{"text": "\\"{{ticket.priority}}\\"", "id": {{ticket.id}}}'), []);
});

test('unknown placeholders and filters warn, with what was probably meant', () => {
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
  assert.match(problems[2]?.text ?? '', /does not know the filter json\. What it prints is escaped for JSON anyway/);
  assert.match(problems[0]?.text ?? '', /no placeholder ticket\.titel; it prints nothing/);
});

test('names that the template makes itself are no placeholders, and quoted bars no filters', () => {
  const loop = '{% for c in ticket.comments %}{{c.value | append: " | nosuch" }}{{forloop.index}}{% endfor %}';
  assert.deepEqual(findProblems(`{% assign who = ticket.requester.name %}{"text": "{{who}} ${loop}"}`), []);
});

test('a list or a person alone warns, as nobody can read what it prints', () => {
  assert.match(findProblems('{"text": "{{ticket.comments}}"}').join(), /ticket\.comments alone prints nothing/);
  assert.equal(check('{"text": "{{ticket.requester}}"}').problems[0]?.suggestion, 'ticket.requester.name');
});

test('a message that would post nothing warns', () => {
  for (const source of ['{}', '{"text": ""}'])
    assert.match(findProblems(source).join(), /^warning .*This posts nothing/);
});

test('abuse 39: expressions reach no file, no prototype and no function', () => {
  for (const tag of [
    '{% include "/etc/passwd" %}',
    '{% render "x" %}',
    '{% layout "x" %}',
    '{% block x %}{% endblock %}',
  ])
    assertRefused(`{"text": "${tag}"}`, /cannot be used: there are no other files/);
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

test('abuse 39: what does not end, grows or is nested without measure is refused, and soon', () => {
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
  for (const source of endless) assertRefused(source, /does not come to an end, or makes too much text/);
  assertRefused(`${'{% if true %}'.repeat(2_000)}{}`, /placeholders and tags/);
  assertRefused(
    `${'{% if true %}'.repeat(60)}{}${'{% endif %}'.repeat(60)}`,
    /^Line 1, column 651: .*nested too deeply/,
  );
  assert.notEqual(check(`${'{% if true %}{% endif %}'.repeat(60)}{"text": "x"}`).json, '');
  assertRefused(`{"a": "{{${'a['.repeat(900)}1${']'.repeat(900)}}}"}`, /too long/);
  assertRefused(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, /nested more than 100 deep/);
  assertRefused(`{"text": "${'{{x}}'.repeat(1_001)}"}`, /more than 1000 placeholders and tags/);
  const large = '{% for i in (1..150) %}{{ticket.latest_comment.value}}'.concat('x'.repeat(2_000), '{% endfor %}');
  assertRefused(`{"text": "${large}"}`, /larger than Zendesk delivers/);
});
