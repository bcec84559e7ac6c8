import assert from 'node:assert/strict';
import {
  EMPTY_TICKET,
  HOSTILE_TICKET,
  SAMPLE_RENDER_CONTEXT,
  SAMPLE_TICKET,
} from '@steward/liquid/zendesk/sample-ticket.ts';
import { test } from 'vitest';
import { renderForTicket } from './liquid.ts';

const render = (template: string, ticket = SAMPLE_TICKET, escaped = true) =>
  renderForTicket(template, ticket, { renderContext: SAMPLE_RENDER_CONTEXT, escape: escaped });

test('values are rendered for display', () => {
  assert.equal(render('{{ticket.status}} {{ticket.priority}} {{ticket.ticket_type}}'), 'Open High Incident');
  assert.equal(render('{{ticket.tags}}'), 'printer floor_two');
  assert.equal(
    render('{{ticket.url}} {{ticket.link}}'),
    'acme.zendesk.com/agent/tickets/35 https://acme.zendesk.com/agent/tickets/35',
  );
  assert.equal(
    render('{{ticket.created_at}} {{ticket.created_at_with_timestamp}}'),
    'February 3, 2025 2025-02-03T19:59Z',
  );
  assert.equal(render('{{ticket.requester.first_name}} of {{ticket.organization.name}}'), 'Rita of Customer Ltd');
  assert.equal(render('{{current_user.name}}, {{ticket.via}}'), 'Ada Admin, Web form');
  assert.equal(
    render('{{ticket.ticket_field_360042}} {{ticket.ticket_field_option_title_360042}}'),
    'floor_two Floor two',
  );
});

test('the description starts with a header, the latest comment is plain text', () => {
  const bare = (template: string) => render(template, SAMPLE_TICKET, false);
  assert.equal(
    bare('{{ticket.description}}'),
    `${'-'.repeat(46)}\n\nRita Requester, Feb 3, 2025, 19:59\n\nHello,\nthe printer beeps and prints nothing.`,
  );
  assert.equal(bare('{{ticket.latest_comment.value}}'), 'Thank you, paper is on its way.');
  assert.match(bare('{{ticket.latest_comment_formatted}}'), /Ada Admin, Feb 3, 2025, 20:10/);
  assert.equal(bare('{% for c in ticket.comments %}{{c.id}} {% endfor %}'), '7002 7001 ');
});

test('whole comments print an opaque object', () => {
  assert.match(render('{{ticket.comments}}'), /^#<Comment:0x/);
});

test('lists can be iterated, with commas, and custom fields are pairs', () => {
  const files =
    '{% for c in ticket.comments %}{% for a in c.attachments %}{{a.filename}}{% if forloop.last == false %},{% endif %}{% endfor %}{% endfor %}';
  assert.equal(render(files), 'printer.jpg');
  assert.equal(render('{% for item in ticket.custom_fields %}{{item[0]}}={{item[1]}}{% endfor %}'), '360042=floor_two');
  assert.equal(
    render('{{ticket.title | truncate: 14}} {{ticket.status | upcase}} {{ticket.id | plus: 1}}'),
    'The printer... OPEN 36',
  );
  assert.equal(render('{{ticket.created_at | date: "%Y-%m-%d"}}'), '2025-02-03');
});

test('unknown and empty values print nothing, and unknown filters do nothing', () => {
  assert.equal(render('[{{ticket.nosuch}}{{nosuch.at.all}}{{ticket.external_id}}{{dc.nosuch}}]'), '[]');
  assert.equal(render('{{ticket.Title}}'), '');
  assert.equal(render('{{ticket.id}} {{ticket.title | json | raw | nosuch}}'), `35 ${SAMPLE_TICKET.title}`);
});

test('values are escaped for JSON strings without loss', () => {
  const template =
    '{"title":"{{ticket.title}}","description":"{{ticket.description}}","by":"{{ticket.requester.name}}","file":"{{ticket.latest_comment.attachments[0].filename}}"}';
  const parsed = JSON.parse(render(template, HOSTILE_TICKET)) as Record<string, string>;
  assert.equal(parsed.title, HOSTILE_TICKET.title);
  assert.equal(parsed.file, HOSTILE_TICKET.title);
  assert.ok(parsed.description?.endsWith(HOSTILE_TICKET.title));
  assert.throws(() => JSON.parse(render(template, HOSTILE_TICKET, false)));
  assert.deepEqual(JSON.parse(render('{"text":"{{ticket.title}}{{ticket.latest_comment.value}}"}', EMPTY_TICKET)), {
    text: '',
  });
});

test('an empty value outside quotes breaks the JSON', () => {
  const template = '{"assignee": {{ticket.assignee.id}}}';
  assert.deepEqual(JSON.parse(render(template)), { assignee: SAMPLE_TICKET.assignee?.id });
  assert.equal(render(template, EMPTY_TICKET), '{"assignee": }');
});

test('a broken or endless template renders an error text', () => {
  assert.match(render('{{ticket.title'), /^Liquid error/);
  assert.match(render('{% for i in (1..100000000) %}x{% endfor %}'), /^Liquid error/);
  assert.match(render('{% include "/etc/passwd" %}'), /^Liquid error/);
});
