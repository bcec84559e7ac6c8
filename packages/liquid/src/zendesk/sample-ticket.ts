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

/** A ticket as support sees it every day; the preview beside the editor shows this one. */
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

/** Everything that can be missing is: placeholders outside quotes break here. */
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

/** Text as a stranger may write it: quotes, line breaks, markup, other directions of writing. */
export const HOSTILE_TICKET: Ticket = {
  ...SAMPLE_TICKET,
  id: 37,
  title: HOSTILE,
  requester: mallory,
  submitter: mallory,
  comments: [said(HOSTILE, mallory, { attachments: [{ filename: HOSTILE, url: 'https://acme.zendesk.com/a?b="c"' }] })],
  custom_fields: [{ id: 360042, value: HOSTILE, option_title: HOSTILE }],
};

/** Whose change the samples show. */
export const SAMPLE_RENDER_CONTEXT: RenderContext = { subdomain: 'acme', account: 'Acme', currentUser: ada };
