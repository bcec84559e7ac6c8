import assert from 'node:assert/strict';
import { PLACEHOLDERS } from '@steward/contract/integrations/placeholders';
import { it } from 'vitest';
import { getInsertText, groupPlaceholders } from './placeholder-list.tsx';

const names = (search: string) =>
  groupPlaceholders(PLACEHOLDERS, search).flatMap(({ placeholders }) => placeholders.map(({ name }) => name));

it('a search matches all of its words in name, meaning or heading, regardless of case', () => {
  assert.equal(names('').length, PLACEHOLDERS.length);
  assert.ok(names('REQUESTER email').includes('ticket.requester.email'));
  assert.ok(!names('requester email').includes('ticket.assignee.email'));
  assert.ok(names('subject').includes('ticket.title'));
  assert.deepEqual(names('nothing like it'), []);
});

it('a placeholder is found by its name in braces, as copied from a template', () => {
  assert.ok(names('{{ ticket.title }}').includes('ticket.title'));
});

it('results are grouped by heading, the most used first', () => {
  const [first] = groupPlaceholders(PLACEHOLDERS, 'title');
  assert.equal(first?.group, 'Ticket');
});

it('a name is inserted in braces, and a list with its loop', () => {
  assert.equal(getInsertText({ group: 'Ticket', name: 'ticket.id', meaning: '' }), '{{ticket.id}}');
  const list = PLACEHOLDERS.find(({ name }) => name === 'ticket.public_comments');
  assert.match(list === undefined ? '' : getInsertText(list), /^\{% for comment in ticket\.public_comments %\}/);
});
