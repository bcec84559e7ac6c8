import { newId } from '#platform/database/ids.ts';
import type { Origin } from '#platform/http/http.ts';

/** Origin of changes made on the command line. */
export function operatorOrigin(): Origin {
  return { requestId: newId(), address: 'operator', userAgent: '' };
}
