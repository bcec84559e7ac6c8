import assert from 'node:assert/strict';
import { analyzeSync } from 'liquidjs';
import { test } from 'vitest';
import { parseTemplate, renderText } from './liquid.ts';

const assertRefused = (source: string, scope: Record<string, unknown> = {}) =>
  assert.throws(() => renderText(source, scope), /limit exceeded/, source);
test('a range is limited by its length, also one whose numbers are too large to count on', () => {
  assertRefused('{% for i in (1..100000000) %}{% endfor %}');
  assertRefused('{% for i in (9007199254740992..9007199254740993) %}{% endfor %}');
  assertRefused('{{ (low..high) | size }}', { low: -(2 ** 53) - 4, high: -(2 ** 53) - 3 });
});

test('conditions, searches and ranges of ordinary templates are evaluated', () => {
  const scope = { tags: ['a', 'b'], text: 'one two', from: 2, none: null, list: ['a', 'b'] };
  const cases: Record<string, string> = {
    '{% if tags contains "b" and text contains "two" %}yes{% endif %}': 'yes',
    '{% if tags == list %}same{% endif %}{% if tags != list %}other{% endif %}': 'same',
    '{% if none == nil and "" == empty and text != blank %}yes{% endif %}': 'yes',
    '{% case text %}{% when "x", "one two" %}1{% when "one two" or "y" %}2{% else %}3{% endcase %}': '12',
    '{% case 5 %}{% when 4 %}4{% else %}none{% endcase %}': 'none',
    '{% for i in (from..4) %}{{ i }}{{ forloop.name }} {% endfor %}': '2i-(from..4) 3i-(from..4) 4i-(from..4) ',
    '{{ (1..3) | join: "-" }} {{ (none..2) | size }} {{ (3..1) | size }} {{ ("1".."2") | join }}': '1-2-3 3 0 1 2',
    '{% for i in (1..6) reversed offset: 1 limit: 2 %}{{ i }}{% else %}none{% endfor %}': '32',
    '{{ text | split: " " | join: "," }} {{ text | replace: "one" }} {{ text | remove: "o" }}': 'one,two  two ne tw',
  };
  for (const [source, text] of Object.entries(cases)) assert.equal(renderText(source, scope), text, source);
});

test('the variables of a range are found', () => {
  const template = parseTemplate('{% for i in (ticket.id..other) %}{{ (1..last) | size }}{% endfor %}');
  assert.deepEqual(Object.keys(analyzeSync(template, { partials: false }).globals), ['ticket', 'other', 'last']);
});
