import assert from 'node:assert/strict';
import { PLACEHOLDERS } from '@steward/contract/integrations/placeholders';
import { parseTemplate } from '@steward/liquid/liquid.ts';
import { SAMPLE_RENDER_CONTEXT, SAMPLE_TICKET } from '@steward/liquid/zendesk/sample-ticket.ts';
import { renderForTicket } from '@steward/liquid/zendesk/ticket-scope.ts';
import { test } from 'vitest';
import { isGroup, isKnown, suggestionFor } from './placeholders.ts';
import { checkTemplate } from './template.ts';

const concrete = (name: string) =>
  name.replace('<id>', '360042').replace('<key>', 'size').replace('<name>', 'greeting');

test('each placeholder in the list is known, unique and has a meaning', () => {
  assert.equal(new Set(PLACEHOLDERS.map(({ name }) => name)).size, PLACEHOLDERS.length);
  for (const { name, meaning, group } of PLACEHOLDERS) {
    assert.ok(isKnown(concrete(name).split('.')), name);
    assert.ok(meaning.length > 3 && meaning.length < 90 && group !== '', name);
  }
});

test('what the list inserts into a template is valid', () => {
  for (const { name, insert = `{{${concrete(name)}}}` } of PLACEHOLDERS) {
    const message = Buffer.from(`{"text": "x ${insert}"}`).toString('base64');
    assert.deepEqual(checkTemplate(message).problems, [], name);
  }
});

test('the sample ticket has a value for everything that every ticket has', () => {
  const names = [
    'id',
    'title',
    'status',
    'link',
    'requester.name',
    'latest_public_comment.value',
    'created_at',
    'group.name',
  ];
  for (const name of names)
    assert.notEqual(
      renderForTicket(parseTemplate(`{{ticket.${name}}}`), SAMPLE_TICKET, SAMPLE_RENDER_CONTEXT),
      '',
      name,
    );
});

test('people, comments and lists are known under all their paths', () => {
  const known = [
    ['ticket', 'assignee', 'organization', 'name'],
    ['ticket', 'comments', 0, 'author', 'name'],
    ['ticket', 'public_comments', 'first', 'value'],
    ['ticket', 'comments', 'size'],
    ['ticket', 'latest_comment', 'attachments', 0, 'url'],
    ['ticket', 'ccs', 1, 'email'],
    ['ticket', 'custom_fields', null],
    ['ticket', 'ticket_field_option_title_42'],
    ['current_user', 'name'],
  ];
  for (const path of known) assert.ok(isKnown(path), path.join('.'));
  for (const path of [
    ['ticket', 'nosuch'],
    ['ticket', 'requester', 'nosuch'],
    ['foo'],
    ['ticket', 'ticket_field_x'],
    ['__proto__'],
  ])
    assert.ok(!isKnown(path), path.join('.'));
  for (const name of ['ticket', 'ticket.requester', 'ticket.comments', 'ticket.latest_comment', 'current_user'])
    assert.ok(isGroup(name), name);
  assert.ok(!isGroup('ticket.title'));
});

test('a misspelled name, one from elsewhere, or in other case suggests its placeholder', () => {
  const meant: [string, string | null][] = [
    ['ticket.titel', 'ticket.title'],
    ['ticket.Title', 'ticket.title'],
    ['ticket.subject', 'ticket.title'],
    ['ticket.type', 'ticket.ticket_type'],
    ['requester.name', 'ticket.requester.name'],
    ['ticket.requester.emial', 'ticket.requester.email'],
    ['tickets.title', 'ticket.title'],
    ['ticket.cc', null],
    ['weather.today', null],
  ];
  for (const [name, suggestion] of meant) assert.equal(suggestionFor(name), suggestion, name);
});
