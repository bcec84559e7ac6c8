import { getSecurityPolicy, saveSecurityPolicy } from '@steward/contract/security';
import type { Matrix } from '../../actors.ts';
import { forOwners } from '../rows.ts';

const POLICY = { require_mfa: 'none', idle_minutes: 30, session_hours: null, networks: [] };

export const securityRows: Matrix = {
  getSecurityPolicy: [forOwners(getSecurityPolicy)],
  saveSecurityPolicy: [forOwners(saveSecurityPolicy, () => ({ body: POLICY }))],
};
