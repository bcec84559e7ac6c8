/** US dollars per user and month. For display only: nothing is charged. */
const PRICE_PER_USER = 8;

export const PRICE_TEXT = `$${PRICE_PER_USER} per user per month`;

/** Price of one month for a number of users. */
export function formatMonthlyPrice(users: number): string {
  return `$${(users * PRICE_PER_USER).toLocaleString('en-US')}.00`;
}
