import { newId } from '#platform/database/ids.ts';
import type { Origin } from '#platform/http/http.ts';

/** Origin of what is done at the machine itself and not by a call. */
export function operatorOrigin(): Origin {
  return { requestId: newId(), address: 'operator', userAgent: '' };
}
