import {
  type Comment,
  type Person,
  PRIORITIES,
  STATUSES,
  type Ticket,
  TYPES,
  VIA,
} from '@steward/liquid/zendesk/ticket.ts';
import type { Account, Action, Delivery } from '../model.ts';
import { deliver } from '../webhooks/deliver.ts';
import type { World } from '../world.ts';
import { type Change, conditionsHold } from './conditions.ts';
import { renderForTicket } from './liquid.ts';
import { inOrder } from './triggers.ts';

/** Users are given by email; unknown ones are created. */
export interface TicketChange {
  title?: string;
  status?: Ticket['status'];
  priority?: Ticket['priority'] | null;
  type?: Ticket['type'] | null;
  via?: Ticket['via'];
  tags?: string[];
  group?: string | null;
  requester?: string;
  assignee?: string | null;
  /** The author of the change; by default the requester of a new ticket, otherwise the first admin. */
  by?: string;
  comment?: string;
  /** Public by default. */
  is_public?: boolean;
  attachments?: Comment['attachments'];
  external_id?: string | null;
  due_date?: number | null;
  custom_fields?: Ticket['custom_fields'];
}

class WrongTicket extends Error {}

export interface TicketOutcome {
  ticket: Ticket;
  deliveries: Delivery[];
}

/** Creates a ticket and runs the triggers. */
export function createTicket(world: World, account: Account, change: TicketChange): TicketOutcome {
  checkWords(change);
  const now = world.clock.now();
  const requester = personFor(world, account, change.requester ?? `rita@${account.subdomain}.example`);
  const actor = change.by === undefined ? requester : personFor(world, account, change.by);
  const blank: Ticket = {
    id: account.tickets.length + 1,
    title: '',
    status: 'new',
    via: 'web',
    brand: { id: account.number, name: account.name, subdomain: account.subdomain },
    tags: [],
    ccs: [],
    comments: [],
    custom_fields: [],
    created_at: now,
    updated_at: now,
    requester,
    submitter: actor,
    ...(requester.organization && { organization: requester.organization }),
  };
  const { ticket, comment } = changed(world, account, { ticket: blank, change, actor });
  account.tickets.push(ticket);
  const seen = { kind: 'Create' as const, ticket, actor, ...(comment && { comment }) };
  return { ticket, deliveries: runTriggers(world, account, seen) };
}

/** Changes a ticket and runs the triggers. */
export function updateTicket(
  world: World,
  account: Account,
  order: { id: number; change: TicketChange },
): TicketOutcome {
  const { id, change } = order;
  checkWords(change);
  const before = account.tickets.find((each) => each.id === id);
  if (!before) throw new WrongTicket(`There is no ticket ${id}.`);
  const actor = personFor(world, account, change.by ?? account.people[0]?.email ?? '');
  const { ticket, comment } = changed(world, account, { ticket: before, change, actor });
  account.tickets.splice(account.tickets.indexOf(before), 1, ticket);
  const seen = { kind: 'Change' as const, ticket, before, actor, ...(comment && { comment }) };
  return { ticket, deliveries: runTriggers(world, account, seen) };
}

function changed(
  world: World,
  account: Account,
  { ticket, change, actor }: { ticket: Ticket; change: TicketChange; actor: Person },
): { ticket: Ticket; comment: Comment | undefined } {
  const { by: _by, requester, assignee, group, comment: text, is_public, attachments, ...plain } = change;
  const comment: Comment | undefined =
    text === undefined
      ? undefined
      : {
          id: world.number(),
          value: text,
          author: actor,
          created_at: world.clock.now(),
          is_public: is_public ?? true,
          attachments: attachments ?? [],
        };
  const links = {
    ...(requester !== undefined && { requester: personFor(world, account, requester) }),
    ...(assignee !== undefined && { assignee: assignee === null ? null : personFor(world, account, assignee) }),
    ...(group !== undefined && { group: group === null ? null : groupFor(world, account, group) }),
  };
  const merged = { ...ticket, ...plain, ...links, updated_at: world.clock.now() };
  // null removes a value.
  const kept = Object.entries(merged).filter(([, value]) => value !== null && value !== undefined);
  const comments = comment ? [...ticket.comments, comment] : ticket.comments;
  return { ticket: { ...(Object.fromEntries(kept) as unknown as Ticket), comments }, comment };
}

function personFor(world: World, account: Account, email: string): Person {
  const known = account.people.find((person) => person.email.toLowerCase() === email.toLowerCase());
  if (known) return known;
  const made = {
    id: world.number(),
    name: email.split('@')[0] ?? email,
    email,
    role: 'end-user' as const,
    role_type: null,
    verified: false,
    suspended: false,
    active: true,
    manages: [],
  };
  account.people.push(made);
  return made;
}

function groupFor(world: World, account: Account, name: string): { id: number; name: string } {
  const known = account.groups.find((group) => group.name === name);
  if (known) return known;
  const made = { id: world.number(), name };
  account.groups.push(made);
  return made;
}

function checkWords({ status, priority, type, via }: TicketChange): void {
  const check = (name: string, value: string | null | undefined, words: readonly string[]) => {
    if (value && !words.includes(value)) throw new WrongTicket(`${name} is one of ${words.join(', ')}.`);
  };
  check('status', status, STATUSES);
  check('priority', priority, PRIORITIES);
  check('type', type, TYPES);
  check('via', via, Object.keys(VIA));
}

/** Runs the active triggers on a change, in order. Only actions that notify a webhook have an effect. */
function runTriggers(world: World, account: Account, change: Change): Delivery[] {
  // Changes to a closed ticket fire nothing; closing it does.
  if (change.before?.status === 'closed') return [];
  const deliveries: Delivery[] = [];
  for (const trigger of inOrder(account)) {
    if (!trigger.active || !conditionsHold(trigger.conditions, change)) continue;
    for (const action of trigger.actions) {
      const order = orderFor(account, action, change);
      if (order) deliveries.push(deliver(world, account, { ...order, trigger_id: trigger.id }));
    }
  }
  return deliveries;
}

/** Runs an action. Deleted and inactive webhooks are silently skipped. */
function orderFor(account: Account, { field, value }: Action, { ticket, actor }: Change) {
  if (field !== 'notification_webhook' || !Array.isArray(value)) return undefined;
  const [id, template] = value as [string, string];
  const webhook = account.webhooks.find((each) => each.id === id);
  if (webhook?.status !== 'active') return undefined;
  const text = renderForTicket(template, ticket, {
    escape: account.settings.escape && webhook.request_format === 'json',
    renderContext: {
      subdomain: account.subdomain,
      account: account.name,
      dynamicContent: account.dynamicContent,
      ...(actor && { currentUser: actor }),
    },
  });
  return { webhook, payload: Buffer.from(text), cause: 'trigger' as const, ticket_id: ticket.id };
}
