import type { AuditSink } from './audit-sink.ts';

/** Sends rows as NDJSON in POST requests. Only a 2xx status acknowledges them; redirects are not followed. */
export function createHttpsSink({
  url,
  authorization,
  timeoutMs,
}: {
  url: string;
  authorization: string | undefined;
  timeoutMs: number;
}): AuditSink {
  const headers = {
    'content-type': 'application/x-ndjson; charset=utf-8',
    ...(authorization === undefined ? {} : { authorization }),
  };
  return {
    async send(rows) {
      const body = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the receiver answered with status ${response.status}`);
    },
  };
}
