import { type Database, inTransaction } from '#platform/database/database.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { SEALED_FOR } from './change.ts';
import { listResponsesAbout, saveResponse } from './idempotency.store.ts';

const PAGE = 500;

/** The stored responses are encrypted, so each one is opened. */
export async function eraseInResponses(
  { db, secrets }: { db: Database; secrets: Secrets },
  teamId: string,
  replace: (text: string) => string,
): Promise<void> {
  for (let after = { person_id: '', key: '' }; ; ) {
    const page = await listResponsesAbout(db, teamId, { after, limit: PAGE });
    for (const { person_id, key, answer } of page) {
      const text = secrets.open(SEALED_FOR, answer);
      const replaced = replace(text);
      if (replaced === text) continue;
      const request = { userId: person_id, key };
      await inTransaction(db, (trx) => saveResponse(trx, request, secrets.seal(SEALED_FOR, replaced)));
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last;
  }
}
