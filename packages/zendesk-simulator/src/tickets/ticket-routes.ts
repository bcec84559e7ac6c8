import type { Call, Route } from '../call.ts';
import { type Answer, instant, isRecord, json, recordInvalid } from '../responses.ts';
import { createTicket, type TicketChange, type TicketOutcome, updateTicket } from './tickets.ts';

/** Tickets by Zendesk's own calls, for trying triggers by hand. Tests use the account's control. */
export const TICKET_ROUTES: Route[] = [
  { method: 'POST', path: 'tickets', run: (call) => answer(201, call, createTicket) },
  {
    method: 'PUT',
    path: 'tickets/:id',
    run: (call) =>
      answer(200, call, (world, account, change) =>
        updateTicket(world, account, { id: Number(call.params.id), change }),
      ),
  },
];

function answer(status: number, { world, account, body, caller }: Call, run: typeof createTicket): Answer {
  const { subject, comment, ...sent } = isRecord(body) && isRecord(body.ticket) ? body.ticket : {};
  const change = {
    ...sent,
    ...(caller.person && { by: caller.person.email }),
    ...(subject !== undefined && { title: subject }),
    ...(isRecord(comment) && { comment: comment.body, is_public: comment.public !== false }),
  } as TicketChange;
  let outcome: TicketOutcome;
  try {
    outcome = run(world, account, change);
  } catch (error) {
    return recordInvalid({ base: [{ description: String(error), error: 'InvalidValue' }] });
  }
  const { id, title, status: state, created_at, updated_at } = outcome.ticket;
  const ticket = {
    id,
    subject: title,
    status: state,
    created_at: instant(created_at),
    updated_at: instant(updated_at),
  };
  return json(status, { ticket });
}
