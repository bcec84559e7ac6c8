/** US dollars per user and month; shown, and charged by nobody (spec §9). */
const PRICE_PER_USER = 8;

export const PRICE_TEXT = `$${PRICE_PER_USER} per user per month`;

/** What a month costs for so many people. */
export function formatMonthlyPrice(users: number): string {
  return `$${(users * PRICE_PER_USER).toLocaleString('en-US')}.00`;
}
