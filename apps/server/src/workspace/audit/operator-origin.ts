import { newId } from '#platform/database/ids.ts';
import type { Origin } from '#platform/http/http.ts';

/** Origin of changes by a command or by the first start. */
export function operatorOrigin(): Origin {
  return { requestId: newId(), address: 'operator', userAgent: '' };
}
