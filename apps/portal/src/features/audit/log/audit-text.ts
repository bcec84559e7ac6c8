import type { AuditRecord } from '@steward/contract/audit';
import { type AuditSubject, auditWords } from '@steward/contract/audit/catalogue';
import { getLabel } from '../details/format-value.ts';

/** A name, and what stands below it. */
interface Named {
  name: string;
  note: string;
}

/** What was done; an action that is not known any more keeps its own name. */
export function getActionText({ action }: Pick<AuditRecord, 'action'>): string {
  return auditWords(action)?.words ?? action;
}

/** Who did it. */
export function getActor({ by, actor, details, names }: AuditRecord, product: string): Named {
  if (by === 'person') {
    const { name = '', email = '', id = '' } = actor ?? {};
    if (name === '') return { name: 'Not in the team any more', note: id };
    return { name, note: name === email ? '' : email };
  }
  if (by === 'operator') return { name: 'Operator', note: 'At the server itself' };
  if (by === 'service') return { name: names[String(details.token_id)] ?? 'A service', note: 'Service token' };
  return by === 'itself' ? { name: product, note: 'By itself' } : { name: 'Unknown', note: '' };
}

/** Where it came from. */
export function getSource({ address, by, request_id }: AuditRecord): string {
  if (address !== '') return address;
  if (by === 'operator') return 'The server';
  return request_id === 'job' ? 'In the background' : 'Unknown';
}

const SUBJECT_LABELS: Record<AuditSubject, string> = {
  person: 'Person',
  entry: 'Directory entry',
  import: 'Directory upload',
  channel_join: 'Default channels',
  post: 'Message',
  integration: 'Integration',
  delivery: 'Delivery',
  token: 'Service token',
  run: 'Retention run',
  team: 'Team',
  nothing: '',
};

/** What it was done to. What has no name of its own is called by what it is. */
export function getTarget(record: AuditRecord): Named {
  const { action, target, target_name, details, names } = record;
  const subject = SUBJECT_LABELS[auditWords(action)?.about ?? 'nothing'];
  if (target_name !== '') return { name: target_name, note: subject };
  const many = getCount(record);
  if (many > 1) return { name: `${many.toLocaleString('en-US')} entries`, note: subject };
  if (typeof details.kind === 'string') return { name: getLabel(details.kind), note: subject };
  const channel = names[String(details.channel_id)];
  if (channel !== undefined) return { name: channel, note: subject };
  return { name: subject === '' ? '–' : subject, note: subject === '' ? '' : target };
}

/** How many things a change of several is about. */
function getCount({ details, left_out }: AuditRecord): number {
  const list = details.entries ?? details.after;
  if (!Array.isArray(list)) return 0;
  // Of an edit the lists before and after are cut alike.
  return list.length + (details.entries === undefined ? left_out / 2 : left_out);
}
