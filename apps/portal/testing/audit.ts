import type { AuditRecord } from '@steward/contract/audit';
import { OLIVIA } from './open-screen.tsx';

export const auditRecord = (id: string, action: string, fields: Partial<AuditRecord> = {}): AuditRecord => ({
  id: id.padEnd(26, '0'),
  action,
  at: Date.now(),
  by: 'person',
  actor: { id: OLIVIA.id, name: 'Olivia Owner', email: OLIVIA.email },
  address: '192.0.2.44',
  request_id: 'request-1',
  target: '',
  target_name: '',
  version: 1,
  details: {},
  left_out: 0,
  names: {},
  ...fields,
});
