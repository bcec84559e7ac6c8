/** The body of our connection test: it shows that deliveries arrive, and is never posted. */
export const CONNECTION_TEST = JSON.stringify({ connection_test: 'steward' });

export function isConnectionTest(body: Buffer): boolean {
  if (body.length > 2 * CONNECTION_TEST.length) return false;
  try {
    return JSON.stringify(JSON.parse(body.toString('utf8'))) === CONNECTION_TEST;
  } catch {
    return false;
  }
}
