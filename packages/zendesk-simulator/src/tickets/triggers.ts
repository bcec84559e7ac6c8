import type { Call, Route } from '../call.ts';
import type { Account, Trigger } from '../model.ts';
import { byCursor, byOffset, isResponse } from '../paging.ts';
import { type Answer, EMPTY, instant, isRecord, json, recordInvalid, recordNotFound } from '../responses.ts';
import { renderTitle } from './liquid.ts';
import { mergedTrigger, type TriggerFields, warningFor, wrongTrigger } from './trigger-fields.ts';

export const TRIGGER_ROUTES: Route[] = [
  { method: 'GET', path: 'triggers', scope: 'triggers:read', run: list },
  { method: 'GET', path: 'triggers/search', scope: 'triggers:read', run: search },
  { method: 'POST', path: 'triggers', scope: 'triggers:write', run: create },
  { method: 'GET', path: 'triggers/:id', scope: 'triggers:read', run: withTrigger(show) },
  { method: 'PUT', path: 'triggers/:id', scope: 'triggers:write', run: withTrigger(update) },
  { method: 'DELETE', path: 'triggers/:id', scope: 'triggers:write', run: withTrigger(remove) },
];

function withTrigger(run: (call: Call, trigger: Trigger) => Answer): Route['run'] {
  return (call) => {
    const trigger = call.account.triggers.find(({ id }) => String(id) === call.params.id);
    return trigger ? run(call, trigger) : recordNotFound();
  };
}

function create(call: Call): Answer {
  const { world, account, body, base } = call;
  const sent = sentTrigger(body);
  if (!sent) return withoutTrigger();
  const blank: TriggerFields = {
    raw_title: '',
    description: null,
    active: true,
    category_id: account.categories[0]?.id ?? '',
    conditions: { all: [], any: [] },
    actions: [],
  };
  const fields = mergedTrigger(sent, blank);
  const details = wrongTrigger(account, fields);
  if (Object.keys(details).length > 0) return recordInvalid(details);
  const now = world.clock.now();
  const position = Math.max(0, ...account.triggers.map((each) => each.position)) + 1;
  const made: Trigger = {
    position,
    ...fields,
    id: world.number(),
    default: false,
    created_at: now,
    updated_at: now,
  };
  account.triggers.push(made);
  const location = `${base}/api/v2/triggers/${made.id}.json`;
  return json(201, { trigger: shown(made, call) }, { location, ...warningFor('create', sent) });
}

function update(call: Call, trigger: Trigger): Answer {
  const sent = sentTrigger(call.body);
  if (!sent) return withoutTrigger();
  const fields = mergedTrigger(sent, trigger);
  const details = wrongTrigger(call.account, fields);
  if (Object.keys(details).length > 0) return recordInvalid(details);
  Object.assign(trigger, fields, { updated_at: call.world.clock.now() });
  return json(200, { trigger: shown(trigger, call) }, warningFor('update', sent));
}

function remove({ account }: Call, trigger: Trigger): Answer {
  account.triggers = account.triggers.filter((each) => each !== trigger);
  return EMPTY;
}

function show(call: Call, trigger: Trigger): Answer {
  return json(200, { trigger: shown(trigger, call) });
}

/** Cursor pagination if `page[size]` or a cursor is given, otherwise by number. */
function list(call: Call): Answer {
  const { account, query, base } = call;
  const found = inOrder(account);
  const cursors = [...query.keys()].some((name) => name.startsWith('page['));
  const url = `${base}/api/v2/triggers.json`;
  if (!cursors) return offsetPage(call, found, url);
  const page = byCursor(found, query, url);
  if (isResponse(page)) return page;
  const triggers = page.records.map((trigger) => shown(trigger, call));
  return json(200, { triggers, meta: page.meta, links: page.links });
}

function search(call: Call): Answer {
  const words = (call.query.get('query') ?? '').toLowerCase();
  const found = inOrder(call.account).filter(({ raw_title }) => raw_title.toLowerCase().includes(words));
  return offsetPage(call, found, `${call.base}/api/v2/triggers/search.json`);
}

function offsetPage(call: Call, found: Trigger[], url: string): Answer {
  const page = byOffset(found, call.query, url);
  if (isResponse(page)) return page;
  const { records, next_page, previous_page, count } = page;
  return json(200, { triggers: records.map((trigger) => shown(trigger, call)), next_page, previous_page, count });
}

export function inOrder({ triggers }: Account): Trigger[] {
  return triggers.toSorted((a, b) => a.position - b.position || a.id - b.id);
}

function shown(trigger: Trigger, { account, base }: Call) {
  return {
    url: `${base}/api/v2/triggers/${trigger.id}.json`,
    id: trigger.id,
    title: renderTitle(trigger.raw_title, account.dynamicContent),
    active: trigger.active,
    updated_at: instant(trigger.updated_at),
    created_at: instant(trigger.created_at),
    default: trigger.default,
    actions: trigger.actions,
    conditions: trigger.conditions,
    description: trigger.description,
    position: trigger.position,
    raw_title: trigger.raw_title,
    category_id: trigger.category_id,
  };
}

function sentTrigger(body: unknown): Record<string, unknown> | undefined {
  return isRecord(body) && isRecord(body.trigger) ? body.trigger : undefined;
}

function withoutTrigger(): Answer {
  return json(400, { error: { title: 'Bad request', message: 'The body names no trigger.' } });
}
