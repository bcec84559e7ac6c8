// Steward's connector API in memory, for tests of the bridge: it keeps what is reported, and selects threads in a simple way. Bodies
// and answers have to be what the contract says.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as toText } from 'node:stream/consumers';
import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import * as connector from '@steward/contract/connections/connector';
import type { RemoteChannel, RemoteMessage, RemoteUser } from '../src/steward.client.ts';

type FakeWork = Omit<connector.Work, 'action'> & { action: string };

interface FakeChannel {
  began: number;
  listed_at: number;
  hint: string;
  messages: Map<string, RemoteMessage>;
}

interface FakeList {
  kind: 'users' | 'channels' | 'messages';
  channel_id: string;
  page: number;
  rows: Map<string, unknown>;
  began: number;
}

interface FakePermit {
  id: string;
  channel_id: string;
  ids: string[];
  whole: boolean;
  begun: boolean;
  /** Complete attempts that left something open. The fifth is the last. */
  attempts: number;
}

export type FakeSteward = Awaited<ReturnType<typeof startSteward>>;

class Refused extends Error {
  readonly status: number;

  constructor(status: number, id: string) {
    super(id);
    this.status = status;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Body = any;
type Handler = (fake: FakeSteward, body: Body, parts: string[]) => unknown;

export async function startSteward() {
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(fake, request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake = {
    ...createFake(),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    all: () => [...fake.read.values()].flatMap(({ messages }) => [...messages.values()]),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

function createFake() {
  return {
    token: `stc_${'x'.repeat(43)}`,
    mappings: [] as { remote_team_id: string; accepted: boolean; paused: boolean; direct_messages: boolean }[],
    users: new Map<string, RemoteUser>(),
    channels: new Map<string, RemoteChannel>(),
    read: new Map<string, FakeChannel>(),
    /** Channels that can only be read, with the reason. */
    readOnly: new Map<string, 'slow' | 'refused'>(),
    /** Unfinished lists by their id, and when the last ones ended. */
    lists: new Map<string, FakeList>(),
    listedAt: { users: 0, channels: 0 },
    status: undefined as
      | { server_version: string; checks: { name: string; passed: boolean; detail: string }[] }
      | undefined,
    rehearsal: undefined as { checks: { passed: boolean }[] } | undefined,
    work: [] as FakeWork[],
    workOutcomes: new Map<string, { outcome: string; detail: string }>(),
    /** An order for everything that is older; undefined without one. */
    order: undefined as { cutoff: number; openedAt: number; rows: number } | undefined,
    permit: undefined as FakePermit | undefined,
    outcomes: new Map<string, string>(),
    orphans: 0,
    /** Calls in their order, as `METHOD path` with ids left out, and all bodies as text. */
    calls: [] as string[],
    bodies: [] as string[],
    /** Called before each call; a returned status ends it. */
    fault: (_call: string): number | undefined => undefined,
    lease: undefined as string | undefined,
    now: () => Date.now(),
  };
}

async function answer(fake: FakeSteward, request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const text = await toText(request);
  fake.bodies.push(text);
  const [path = ''] = (request.url ?? '').replace('/api/v4/connector/', '').split('?');
  const pattern = `${request.method} ${path.replace(/(?<=(lists|pages|work|permits)\/)\w+/g, ':')}`;
  fake.calls.push(pattern);
  try {
    if (request.headers.authorization !== `Bearer ${fake.token}`) throw new Refused(401, 'connector.token_required');
    const status = fake.fault(pattern);
    if (status !== undefined) throw new Refused(status, 'server.error');
    const isLeased = request.headers['connector-lease'] === fake.lease;
    if (pattern !== 'POST lease' && !isLeased) throw new Refused(409, 'connector.leased');
    const handle = HANDLERS[pattern];
    if (handle === undefined) throw new Refused(404, 'record.not_found');
    const endpoint = ENDPOINTS.get(pattern);
    if (endpoint?.body?.safeParse(text === '' ? undefined : JSON.parse(text)).success === false) {
      throw new Refused(400, 'request.invalid');
    }
    const body = text === '' ? {} : JSON.parse(text);
    return { status: 200, body: endpoint?.answer.parse(handle(fake, body, path.split('/'))) };
  } catch (error) {
    if (!(error instanceof Refused)) return { status: 500, body: { id: 'test.broken', message: String(error) } };
    return { status: error.status, body: { id: error.message, message: `${error.message}.`, request_id: 'x' } };
  }
}

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'answer' in value;

/** By `METHOD path` with ids left out. */
const ENDPOINTS = new Map(
  Object.values(connector)
    .filter(isEndpoint)
    .map((each) => [`${each.method} ${each.path.replace('/connector/', '').replace(/:\w+/g, ':')}`, each]),
);

const DONE = { status_code: 200 };
let count = 0;
const newId = () => {
  count += 1;
  return `id${String(count).padStart(24, '0')}`;
};

const HANDLERS: Record<string, Handler> = {
  'POST lease': (fake, { lease }) => {
    if (fake.lease !== undefined && lease !== fake.lease) throw new Refused(409, 'connector.leased');
    fake.lease ??= newId();
    const { mappings } = fake;
    const connection = { id: newId(), provider: 'mattermost', name: 'Chat', mappings };
    const listed = { users_listed_at: fake.listedAt.users, channels_listed_at: fake.listedAt.channels };
    const wants_rehearsal = fake.order !== undefined && fake.rehearsal === undefined;
    const rehearsed = { rehearsed_at: 0, rehearsal_passed: false, wants_rehearsal };
    return { lease: fake.lease, seconds: 60, connection, ...listed, ...rehearsed };
  },
  'DELETE lease': (fake) => {
    fake.lease = undefined;
    return DONE;
  },
  'PUT status': (fake, body) => {
    fake.status = body;
    return DONE;
  },
  'PUT rehearsal': (fake, body) => {
    fake.rehearsal = body;
    return { passed: body.checks.every(({ passed }: { passed: boolean }) => passed) };
  },
  'POST lists': (fake, { kind, channel_id = '' }) => {
    if (kind === 'messages' && !fake.channels.has(channel_id)) throw new Refused(404, 'record.not_found');
    const id = newId();
    fake.lists.set(id, { kind, channel_id, page: 0, rows: new Map(), began: fake.now() });
    return { list_id: id };
  },
  'PUT lists/:/pages/:': (fake, body, [, id = '', , page]) => {
    const list = fake.lists.get(id);
    if (!list || Number(page) !== list.page) throw new Refused(409, 'connector.list_order');
    const rows: { id: string }[] = body[list.kind];
    if (rows.length > 1_000) throw new Refused(400, 'request.invalid');
    for (const row of rows) list.rows.set(row.id, row);
    list.page += 1;
    return { taken: rows.length, left_out: 0 };
  },
  'POST lists/:/finish': (fake, { pages, hint = '', seconds = 0, failed = false }, [, id = '']) => {
    const list = fake.lists.get(id);
    if (!list || list.page !== pages) throw new Refused(409, 'connector.list_order');
    fake.lists.delete(id);
    if (failed) {
      fake.readOnly.set(list.channel_id, 'refused');
      return { removed: 0 };
    }
    if (list.kind === 'messages') fake.readOnly.delete(list.channel_id);
    if (seconds > 3_600) fake.readOnly.set(list.channel_id, 'slow');
    if (list.kind === 'messages') {
      const messages = list.rows as Map<string, RemoteMessage>;
      fake.read.set(list.channel_id, { began: list.began, listed_at: fake.now(), hint, messages });
    } else {
      fake.listedAt[list.kind] = fake.now();
      Object.assign(fake, { [list.kind]: list.rows });
    }
    return { removed: 0 };
  },
  'POST messages': (fake, { channel_id, messages, hint }) => {
    const channel = fake.read.get(channel_id);
    if (!channel) throw new Refused(404, 'record.not_found');
    for (const message of messages) channel.messages.set(message.id, message);
    channel.hint = hint ?? channel.hint;
    return { taken: messages.length };
  },
  'GET channels': (fake) => ({
    records: [...fake.channels.values()].map(({ id, type, team_id }) => {
      const { began = 0, listed_at = 0, hint = '' } = fake.read.get(id) ?? {};
      const read_only = fake.readOnly.get(id) ?? '';
      return { id, type, team_id, list_began_at: began, listed_at, hint, read_only, needed: false };
    }),
    last_key: null,
  }),
  'GET work': (fake) => ({ records: fake.work }),
  'POST work/:/outcome': (fake, body, [, id = '']) => {
    fake.work = fake.work.filter((work) => work.id !== id);
    fake.workOutcomes.set(id, body);
    return DONE;
  },
  'POST permits': takePermit,
  'POST permits/:/begin': (fake, _, [, id]) => {
    const { permit } = fake;
    if (permit === undefined || permit.id !== id) throw new Refused(409, 'connector.permit_void');
    permit.begun = true;
    return DONE;
  },
  'POST permits/:/outcomes': (fake, { outcomes, orphans, complete }, [, id]) => {
    const { permit } = fake;
    if (permit === undefined || permit.id !== id || !permit.begun) throw new Refused(409, 'connector.permit_void');
    for (const { id: row, outcome, reason } of outcomes) {
      if (!permit.ids.includes(row)) throw new Refused(400, 'request.invalid');
      fake.outcomes.set(row, reason ?? outcome);
      if (outcome === 'gone') for (const { messages } of fake.read.values()) messages.delete(row);
    }
    fake.orphans += orphans;
    const open = permit.ids.filter((row) => !fake.outcomes.has(row)).length;
    if (open === 0) fake.permit = undefined;
    else if (complete) permit.attempts += 1;
    return { open };
  },
};

const threadOf = ({ id, root_id, original_id }: RemoteMessage) => root_id || original_id || id;
const PERMIT_ROWS = 400;

function takePermit(fake: FakeSteward) {
  const none = (reason: string, channel_id = '') => ({ permit: null, reason, channel_id });
  if (fake.permit?.begun) return describe(fake, fake.permit);
  const { order } = fake;
  if (order === undefined) return none('nothing');
  if (fake.status?.checks.some(({ passed }) => !passed)) return none('problem');
  if (fake.rehearsal === undefined || fake.rehearsal.checks.some(({ passed }) => !passed)) return none('rehearsal');
  for (const [id, channel] of fake.read) {
    const due = fake.readOnly.has(id) ? [] : chooseRows(fake, channel, order.cutoff);
    if (due.length === 0) continue;
    if (channel.began < order.openedAt) return none('list', id);
    const isWhole = due.length <= PERMIT_ROWS;
    const ids = due.slice(0, PERMIT_ROWS).map((row) => row.id);
    fake.permit = { id: newId(), channel_id: id, ids, whole: isWhole, begun: false, attempts: 0 };
    return describe(fake, fake.permit);
  }
  fake.order = undefined;
  return none('');
}

/** Whole threads that are old, as many as fit into a permit, or one that is larger. */
function chooseRows({ outcomes }: FakeSteward, { messages }: FakeChannel, cutoff: number): RemoteMessage[] {
  const due: RemoteMessage[] = [];
  for (const rows of Map.groupBy(messages.values(), threadOf).values()) {
    const open = rows.filter(({ id }) => !outcomes.has(id));
    if (open.length < rows.length && !rows.some(({ id }) => outcomes.get(id) === 'gone')) continue;
    if (open.length === 0 || rows.some(({ created_at }) => created_at >= cutoff)) continue;
    if (due.length > 0 && due.length + open.length > PERMIT_ROWS) break;
    const rank = (row: RemoteMessage) => (row.original_id !== '' ? 0 : row.root_id !== '' ? 1 : 2);
    due.push(...open.toSorted((a, b) => rank(a) - rank(b)));
  }
  return due;
}

function describe({ read, outcomes, mappings }: FakeSteward, permit: FakePermit) {
  const { id, channel_id, ids, whole, begun, attempts } = permit;
  const messages = read.get(channel_id)?.messages;
  const rows = ids
    .filter((row) => !outcomes.has(row))
    .flatMap((row) => messages?.get(row) ?? [])
    .map((row) => ({
      id: row.id,
      thread_id: threadOf(row),
      original_id: row.original_id,
      created_at: row.created_at,
      file_ids: row.files.map((file) => file.id),
    }));
  const place = { id, order_id: id, team_id: '', channel_id, channel_type: 'O' };
  const state = { begun, only_read: !mappings.some(({ accepted }) => accepted), last: attempts >= 4 };
  return { permit: { ...place, rows, whole_threads: whole, ...state }, reason: '', channel_id: '' };
}
