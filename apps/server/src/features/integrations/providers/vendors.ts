import { createHash } from 'node:crypto';

/** A help desk that we know. */
export interface Vendor {
  code: string;
  name: string;
}

const ZENDESK: Vendor = { code: 'zendesk', name: 'Zendesk' };

/** All that a team can connect. */
export const VENDORS: readonly Vendor[] = [ZENDESK];

/**
 * The id that a vendor has in a team, before anything is stored and ever after: 26 of the characters that ids have. It is no
 * secret; the team is part of it, so that an id of one team means nothing in another.
 */
export function toIntegrationId(teamId: string, code: string): string {
  const hash = createHash('sha256').update(`integration ${teamId} ${code}`).digest('hex');
  return BigInt(`0x${hash}`).toString(36).padStart(26, '0').slice(-26);
}

/** The vendor that an id of a path means in its team. */
export function findVendor(teamId: string, integrationId: string): Vendor | undefined {
  return VENDORS.find(({ code }) => toIntegrationId(teamId, code) === integrationId);
}
