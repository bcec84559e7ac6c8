/** The price is in US dollars per user and month. It is only displayed: nothing is charged. */
const PRICE_PER_USER = 8;

export const PRICE_TEXT = `$${PRICE_PER_USER} per user per month`;

export function formatMonthlyPrice(users: number): string {
  return `$${(users * PRICE_PER_USER).toLocaleString('en-US')}.00`;
}
