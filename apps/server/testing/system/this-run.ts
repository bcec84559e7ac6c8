const BEGUN = Date.now();
/** The clock of a PostgreSQL elsewhere may differ by so much. */
const SKEW_MS = 60_000;

/** Whether a stored time is from this run of the tests, however long it takes. */
export function isOfThisRun(at: number): boolean {
  return at > BEGUN - SKEW_MS && at < Date.now() + SKEW_MS;
}
