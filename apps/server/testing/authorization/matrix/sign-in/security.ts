import type { Matrix } from '../../actors.ts';
import { forOwners } from '../rows.ts';

const POLICY = { require_mfa: 'none', idle_minutes: 30, session_hours: null, networks: [] };

const ZONES = ['Asia/Tokyo', 'America/Lima'];
const nextZone = () => {
  ZONES.push(ZONES.shift() ?? '');
  return ZONES[0];
};

export const securityRows: Matrix = {
  getSecurityPolicy: [forOwners()],
  getTeamSettings: [forOwners()],
  previewTimeZone: [forOwners(() => ({ query: { time_zone: 'Asia/Tokyo' } }))],
  // Only another time zone than before is a dangerous change.
  saveTeamSettings: [forOwners(() => ({ body: { time_zone: nextZone() } }))],
  saveSecurityPolicy: [forOwners(() => ({ body: POLICY }))],
};
