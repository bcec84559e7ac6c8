import { getSso, removeSso, saveSso, testSso } from '@steward/contract/sso/connection';
import { addDomain, listDomains, removeDomain, verifyDomain } from '@steward/contract/sso/domains';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';

export function ssoQueryOptions(teamId: string) {
  return queryOptionsFor(getSso, { params: { teamId } });
}

export function domainsQueryOptions(teamId: string) {
  return queryOptionsFor(listDomains, { params: { teamId } });
}

export const savingSso = mutationOptionsFor(saveSso, { refreshes: [getSso] });
export const removingSso = mutationOptionsFor(removeSso, { refreshes: [getSso] });
export const testingSso = mutationOptionsFor(testSso);
export const addingDomain = mutationOptionsFor(addDomain, { refreshes: [listDomains] });
export const verifyingDomain = mutationOptionsFor(verifyDomain, { refreshes: [listDomains] });
export const removingDomain = mutationOptionsFor(removeDomain, { refreshes: [listDomains] });
