// Tickets for templates, conditions and the preview; independent of the simulator.

/** A user of the account. */
export interface Person {
  id: number;
  name: string;
  email: string;
  role: 'admin' | 'agent' | 'end-user';
  phone?: string;
  locale?: string;
  time_zone?: string;
  external_id?: string;
  details?: string;
  notes?: string;
  signature?: string;
  tags?: string[];
  custom_fields?: Record<string, string>;
  organization?: Organization;
}

export interface Organization {
  id: number;
  name: string;
  external_id?: string;
  details?: string;
  notes?: string;
  tags?: string[];
  custom_fields?: Record<string, string>;
}

export interface Comment {
  id: number;
  value: string;
  author: Person;
  created_at: number;
  is_public: boolean;
  attachments: { filename: string; url: string }[];
}

export const STATUSES = ['new', 'open', 'pending', 'hold', 'solved', 'closed'] as const;
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export const TYPES = ['question', 'incident', 'problem', 'task'] as const;
/** Channel of a ticket: the id used in conditions, and the name shown by templates. */
export const VIA = { web: { id: 0, name: 'Web form' }, mail: { id: 4, name: 'Mail' }, api: { id: 5, name: 'API' } };

/** Times are in milliseconds since the epoch; comments are oldest first and start with the description. */
export interface Ticket {
  id: number;
  title: string;
  status: (typeof STATUSES)[number];
  via: keyof typeof VIA;
  brand: { id: number; name: string; subdomain: string };
  tags: string[];
  ccs: Person[];
  comments: Comment[];
  custom_fields: { id: number; value: string; option_title?: string }[];
  created_at: number;
  updated_at: number;
  requester?: Person;
  submitter?: Person;
  assignee?: Person;
  organization?: Organization;
  group?: { id: number; name: string };
  priority?: (typeof PRIORITIES)[number];
  type?: (typeof TYPES)[number];
  external_id?: string;
  form?: string;
  due_date?: number;
  satisfaction?: { rating: string; comment: string };
}
