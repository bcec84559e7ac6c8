import type { Comment, Person, Ticket } from './ticket.ts';
import type { RenderContext } from './ticket-scope.ts';

const MONDAY = Date.UTC(2025, 1, 3, 19, 59);
const brand = { id: 360001, name: 'Acme', subdomain: 'acme' };

const ada: Person = {
  id: 6130907990001,
  name: 'Ada Admin',
  email: 'ada@acme.example',
  role: 'admin',
  locale: 'en-US',
  time_zone: 'UTC',
  signature: 'Ada, Acme Support',
};

const rita: Person = {
  id: 6130907990020,
  name: 'Rita Requester',
  email: 'rita@customer.example',
  role: 'end-user',
  phone: '+1 555 0100',
  locale: 'en-US',
  time_zone: 'UTC',
  tags: ['vip'],
  organization: { id: 6130869150099, name: 'Customer Ltd', tags: ['gold'] },
};

function said(value: string, author: Person, more: Partial<Comment> = {}): Comment {
  return { id: 7_001, value, author, created_at: MONDAY, is_public: true, attachments: [], ...more };
}

/** A typical ticket, used in the preview. */
export const SAMPLE_TICKET: Ticket = {
  id: 35,
  title: 'The printer on floor two is out of paper',
  status: 'open',
  priority: 'high',
  type: 'incident',
  via: 'web',
  brand,
  group: { id: 6130852530001, name: 'Support' },
  tags: ['printer', 'floor_two'],
  ccs: [],
  requester: rita,
  submitter: rita,
  assignee: ada,
  comments: [
    said('Hello,\nthe printer beeps and prints nothing.', rita, {
      attachments: [{ filename: 'printer.jpg', url: 'https://acme.zendesk.com/attachments/token/printer.jpg' }],
    }),
    said('Thank you, paper is on its way.', ada, { id: 7_002, created_at: MONDAY + 11 * 60_000 }),
  ],
  custom_fields: [{ id: 360042, value: 'floor_two', option_title: 'Floor two' }],
  created_at: MONDAY,
  updated_at: MONDAY + 11 * 60_000,
  ...(rita.organization && { organization: rita.organization }),
};

/** A ticket without any optional values, which breaks placeholders outside quotes. */
export const EMPTY_TICKET: Ticket = {
  id: 36,
  title: '',
  status: 'new',
  via: 'api',
  brand,
  tags: [],
  ccs: [],
  comments: [],
  custom_fields: [],
  created_at: MONDAY,
  updated_at: MONDAY,
};

const HOSTILE = 'He said "hi" \\ and\nleft\tat 5 </script> {{ticket.id}} @all 🎉 \u202eעברית\u202c';
const mallory: Person = { ...rita, name: HOSTILE, details: HOSTILE, notes: HOSTILE };

/** A ticket with hostile text: quotes, line breaks, markup, bidirectional controls. */
export const HOSTILE_TICKET: Ticket = {
  ...SAMPLE_TICKET,
  id: 37,
  title: HOSTILE,
  requester: mallory,
  submitter: mallory,
  comments: [said(HOSTILE, mallory, { attachments: [{ filename: HOSTILE, url: 'https://acme.zendesk.com/a?b="c"' }] })],
  custom_fields: [{ id: 360042, value: HOSTILE, option_title: HOSTILE }],
};

/** The render context of the samples. */
export const SAMPLE_RENDER_CONTEXT: RenderContext = { subdomain: 'acme', account: 'Acme', currentUser: ada };
