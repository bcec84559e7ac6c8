import type { AuditRecord } from '@steward/contract/audit';
import { AUDIT_SUBJECTS, findAuditAction } from '@steward/contract/audit/catalog';
import { formatNumber } from '#platform/time/format.ts';
import { getLabel } from './format-value.ts';

interface Named {
  name: string;
  note: string;
}

/** An action that the catalog doesn't list is shown by its name. */
export function getActionText({ action }: Pick<AuditRecord, 'action'>): string {
  return findAuditAction(action)?.label ?? action;
}

export function getActor({ by, actor, details, names }: AuditRecord, product: string): Named {
  if (by === 'person') {
    const { name = '', email = '', id = '' } = actor ?? {};
    if (name === '') return { name: 'Former member', note: id };
    return { name, note: name === email ? '' : email };
  }
  if (by === 'operator') return { name: 'Operator', note: 'Command line' };
  if (by === 'provisioning')
    return { name: names[String(details.scim_token_id)] ?? 'Identity provider', note: 'Provisioning' };
  if (by === 'service') return { name: names[String(details.token_id)] ?? 'Unknown service', note: 'Service token' };
  return by === 'itself' ? { name: product, note: 'Automatic' } : { name: 'Unknown', note: '' };
}

/** The source is an IP address, or the job that caused the change. */
export function getSource({ address, by, request_id }: AuditRecord): string {
  if (address !== '') return address;
  if (by === 'operator') return 'Command line';
  return request_id === 'job' ? 'Automatic' : 'Unknown';
}

/** A target without a name is shown by its kind. */
export function getTarget(record: AuditRecord): Named {
  const { action, target, target_name, details, names } = record;
  const subject = AUDIT_SUBJECTS[findAuditAction(action)?.subject ?? 'nothing'];
  if (target_name !== '') return { name: target_name, note: subject };
  const many = getCount(record);
  if (many > 1) return { name: `${formatNumber(many)} entries`, note: subject };
  if (typeof details.kind === 'string') return { name: getLabel(details.kind), note: subject };
  const channel = names[String(details.channel_id)];
  if (channel !== undefined) return { name: channel, note: subject };
  return { name: subject === '' ? '–' : subject, note: subject === '' ? '' : target };
}

function getCount({ details, left_out }: AuditRecord): number {
  const list = details.entries ?? details.after;
  if (!Array.isArray(list)) return 0;
  // The lists before and after an edit are cut at the same length.
  return list.length + (details.entries === undefined ? left_out / 2 : left_out);
}
