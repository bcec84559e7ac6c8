import type { Template } from 'liquidjs';
import { renderTemplate } from '../liquid.ts';
import { type Comment, type Organization, type Person, type Ticket, VIA } from './ticket.ts';

/** Values that a template can use besides the ticket itself. */
export interface RenderContext {
  subdomain: string;
  /** The account's name. */
  account: string;
  /** The user who made the change. */
  currentUser?: Person;
  dynamicContent?: Record<string, string>;
}

type Scope = Record<string, unknown>;

/** Renders a parsed template for a ticket, as Zendesk does. */
export function renderForTicket(template: Template[], ticket: Ticket, renderContext: RenderContext): string {
  return renderTemplate(template, ticketScope(ticket, renderContext));
}

/** All placeholders of a ticket. Missing ones render as nothing. */
export function ticketScope(ticket: Ticket, renderContext: RenderContext): Scope {
  return {
    ticket: { ...plain(ticket), ...addresses(ticket, renderContext), ...people(ticket), ...comments(ticket) },
    current_user: person(renderContext.currentUser),
    agent: person(renderContext.currentUser),
    satisfaction: satisfaction(ticket, renderContext),
    dc: renderContext.dynamicContent ?? {},
  };
}

function plain(ticket: Ticket): Scope {
  const fields = ticket.custom_fields.flatMap(({ id, value, option_title }) => [
    [`ticket_field_${id}`, value],
    [`ticket_field_option_title_${id}`, option_title ?? value],
  ]);
  return {
    id: ticket.id,
    external_id: ticket.external_id,
    encoded_id: ticket.id.toString(36).toUpperCase().padStart(6, '0'),
    title: ticket.title,
    status: shown(ticket.status),
    priority: shown(ticket.priority),
    ticket_type: shown(ticket.type),
    ticket_form: ticket.form,
    via: VIA[ticket.via].name,
    brand: ticket.brand,
    group: ticket.group,
    tags: ticket.tags.join(' '),
    due_date: ticket.due_date === undefined ? undefined : day(ticket.due_date),
    due_date_with_timestamp: ticket.due_date === undefined ? undefined : stamp(ticket.due_date),
    ...instants('created_at', ticket.created_at),
    ...instants('updated_at', ticket.updated_at),
    in_business_hours: 'true',
    custom_fields: Object.fromEntries(ticket.custom_fields.map(({ id, value }) => [String(id), value])),
    ...Object.fromEntries(fields),
  };
}

function addresses(ticket: Ticket, { subdomain, account }: RenderContext): Scope {
  const url = `${subdomain}.zendesk.com/agent/tickets/${ticket.id}`;
  return { url, url_with_protocol: `https://${url}`, link: `https://${url}`, account };
}

function people(ticket: Ticket): Scope {
  return {
    requester: person(ticket.requester),
    submitter: person(ticket.submitter),
    assignee: person(ticket.assignee),
    ccs: ticket.ccs.map(person),
    cc_names: ticket.ccs.map(({ name }) => name).join(', '),
    organization: organization(ticket.organization),
  };
}

function person(of: Person | undefined): Scope | undefined {
  if (!of) return undefined;
  const [first = '', ...rest] = of.name.split(' ');
  return {
    ...of,
    first_name: first,
    last_name: rest.join(' '),
    language: of.locale?.startsWith('en') ? 'English' : of.locale,
    role: shown(of.role),
    extended_role: shown(of.role),
    tags: (of.tags ?? []).join(' '),
    organization: organization(of.organization),
  };
}

function organization(of: Organization | undefined): Scope | undefined {
  return of && { ...of, tags: (of.tags ?? []).join(' '), is_shared: false, is_shared_comments: false };
}

/** Lists have the newest first, as templates that take the first one expect. */
function comments(ticket: Ticket): Scope {
  const all = ticket.comments.toReversed();
  const open = all.filter(({ is_public }) => is_public);
  const first = ticket.comments[0];
  return {
    description: first && block(first),
    comments: all.map(comment),
    public_comments: open.map(comment),
    latest_comment: all[0] && comment(all[0]),
    latest_public_comment: open[0] && comment(open[0]),
    comments_formatted: all.map(block).join('\n\n'),
    public_comments_formatted: open.map(block).join('\n\n'),
    latest_comment_formatted: all[0] && block(all[0]),
    latest_public_comment_formatted: open[0] && block(open[0]),
    latest_comment_html: all[0] && html(all[0].value),
    latest_public_comment_html: open[0] && html(open[0].value),
  };
}

function comment(of: Comment): Scope {
  const scope: Scope = {
    id: of.id,
    value: of.value,
    author: person(of.author),
    ...instants('created_at', of.created_at),
    is_public: of.is_public,
    attachments: of.attachments,
  };
  // A whole comment prints an opaque object, as in Zendesk.
  Object.defineProperty(scope, 'toString', { value: () => `#<Comment:0x${of.id.toString(16).padStart(16, '0')}>` });
  return scope;
}

function block({ value, author, created_at }: Comment): string {
  const when = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });
  return `${'-'.repeat(46)}\n\n${author.name}, ${when.format(created_at)}\n\n${value}`;
}

function satisfaction({ id, satisfaction: of }: Ticket, { subdomain }: RenderContext): Scope {
  const url = `https://${subdomain}.zendesk.com/requests/${id}/satisfaction`;
  return {
    current_rating: of?.rating,
    current_comment: of?.comment,
    rating_section: `How would you rate the support you received?\n${url}`,
    rating_url: url,
    positive_rating_url: `${url}?intention=16`,
    negative_rating_url: `${url}?intention=4`,
  };
}

function instants(name: string, at: number): Scope {
  return {
    [name]: day(at),
    [`${name}_with_time`]: `${day(at)} ${clockTime(at)}`,
    [`${name}_with_timestamp`]: stamp(at),
  };
}

function day(at: number): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(at);
}

function clockTime(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}

function stamp(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16)}Z`;
}

/** Display form: `end-user` becomes `End-user`. */
function shown(word: string | undefined): string | undefined {
  return word && word.slice(0, 1).toUpperCase() + word.slice(1);
}

function html(text: string): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<p>${safe.replaceAll('\n', '<br>')}</p>`;
}
