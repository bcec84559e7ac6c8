/**
 * Time limits of all tests are multiplied by TEST_TIME_SCALE. They are long enough for a machine that does eight other things at
 * once, because only a test that fails takes as long.
 */
export const TIME_SCALE = Number(process.env.TEST_TIME_SCALE || 4);

/** Time limits of the database that such a machine doesn't reach. With those of the product, it would refuse calls with 503. */
export const PATIENCE = {
  statementMs: 10_000 * TIME_SCALE,
  lockMs: 10_000 * TIME_SCALE,
  waitMs: 10_000 * TIME_SCALE,
  idleInTransactionMs: 20_000 * TIME_SCALE,
};

/** The longest timer. For work in the background that a test does itself, or that would change the rows it compares. */
export const NEVER_MS = 2 ** 31 - 1;
