import type { Origin } from '#platform/http.ts';
import { newId } from '#platform/ids.ts';

/** Origin of what is done at the machine itself and not by a call. */
export function byOperator(): Origin {
  return { requestId: newId(), address: 'operator', userAgent: '' };
}
