import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { listAuditEvents } from '@steward/contract/audit';
import { addEntries, listEntries } from '@steward/contract/directory';
import { getAttention } from '@steward/contract/home';
import { getRetentionStored, previewRetention } from '@steward/contract/retention';
import { getRetentionAges } from '@steward/contract/retention/foresight';
import { getMe } from '@steward/contract/session';
import { listUsers, saveUser } from '@steward/contract/users';
import { newId } from '#platform/database/ids.ts';
import { callAt, type Reply, type Sending } from '#testing/app/call.ts';
import type { TestTeam } from '#testing/workspace/factories.ts';
import { delivery, type TestHelpdesk } from '#testing/workspace/integrations.ts';
import type { Change } from './load.ts';

export interface Place {
  team: TestTeam;
  desk: TestHelpdesk;
}

export interface Seen {
  status: number;
  retryAfter: unknown;
  /** True if a read lacks a change that it must contain. */
  isStale?: boolean;
}

/** A call of a client: a change with a unique mark, or a read. */
export interface Step {
  kind: Change['kind'] | 'read';
  mark: string;
  work: () => Promise<Seen>;
}

/** Finds the client's newest change of these kinds that every read must contain by now. */
type FindDue = (kinds: readonly Change['kind'][]) => Change | undefined;

/** The client repeats these steps in order. They include every read that may use a replica. */
export function createSteps(url: string, { team, desk }: Place, findDue: FindDue): (() => Step)[] {
  const params = { teamId: team.id };
  const as = team.admin;
  const read =
    (endpoint: AnyEndpoint, sending: Sending = {}) =>
    (): Step =>
      reading(() => callAt(url, endpoint, { as, params, ...sending }));
  const changing = (kind: 'user' | 'entry', toCall: (mark: string) => [AnyEndpoint, Sending]) => (): Step => {
    const mark = newId();
    const [endpoint, sending] = toCall(mark);
    const keyed = { as, params, headers: { 'idempotency-key': mark }, ...sending };
    return { kind, mark, work: async () => toSeen(await callAt(url, endpoint, keyed)) };
  };
  const addEntry = changing('entry', (mark) => [addEntries, { body: [{ name: mark }] }]);
  const exportOf = (endpoint: AnyEndpoint, kind: 'user' | 'entry') => (): Step => {
    const due = findDue([kind]);
    const query = { limit: '200', ...(due && { search: due.mark }) };
    return reading(
      () => callAt(url, endpoint, { as, params, query }),
      ({ records }) => due !== undefined && records.length === 0,
    );
  };
  return [
    changing('user', (mark) => [saveUser, { body: { email: `${mark}@example.test`, account_type: 2 } }]),
    read(getMe, { as: team.member }),
    addEntry,
    read(listUsers),
    () => deliver(url, desk),
    exportOf(listEntries, 'entry'),
    read(getAttention),
    addEntry,
    auditLog(url, { as, params }, findDue),
    exportOf(listUsers, 'user'),
    addEntry,
    read(previewRetention, { body: { public_channels: { value: 1, duration: { count: 90, period: 'd' } } } }),
    read(getRetentionStored),
    () => deliver(url, desk),
    read(getRetentionAges, { query: { setting: 'public_channels' } }),
    read(listEntries, { query: { limit: '200' } }),
  ];
}

/** The newest change comes first in the audit log. */
const auditLog = (url: string, sending: Sending, findDue: FindDue) => (): Step => {
  const due = findDue(['user', 'entry']);
  return reading(
    () => callAt(url, listAuditEvents, sending),
    ({ records }) => due !== undefined && records[0].at < due.sentAt,
  );
};

function reading(work: () => Promise<Reply>, lacksDue: (body: Reply['body']) => boolean = () => false): Step {
  return {
    kind: 'read',
    mark: '',
    async work() {
      const reply = await work();
      return { ...toSeen(reply), isStale: reply.status === 200 && lacksDue(reply.body) };
    },
  };
}

const toSeen = ({ status, headers }: Reply): Seen => ({ status, retryAfter: headers['retry-after'] });

/** Repeated deliveries have the same invocation id, as Zendesk's do. */
function deliver(url: string, desk: TestHelpdesk): Step {
  const mark = `Message ${newId()}`;
  const invocationId = newId();
  const work = async () => {
    const { headers, body } = delivery(desk, { body: JSON.stringify({ text: mark }), invocationId });
    const response = await fetch(`${url}${desk.path}`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return { status: response.status, retryAfter: response.headers.get('retry-after') };
  };
  return { kind: 'delivery', mark, work };
}
