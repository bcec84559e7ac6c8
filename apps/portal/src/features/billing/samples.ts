/** The price is in US dollars per user and month. It is only displayed: nothing is charged. */
const PRICE_PER_USER = 8;

export const PRICE_TEXT = `$${PRICE_PER_USER} per user per month`;

function formatMonthlyPrice(users: number): string {
  return `$${(users * PRICE_PER_USER).toLocaleString('en-US')}.00`;
}

/** Times are in milliseconds since 1970. */
export interface ActivitySample {
  at: number;
  what: string;
  who: string;
}

const OWNER = 'Workspace owner';

export const ACTIVITY: readonly ActivitySample[] = [
  { at: Date.UTC(2026, 1, 3, 9, 12), what: 'Payment method changed to a card that ends in 4242', who: OWNER },
  { at: Date.UTC(2026, 1, 1, 6, 0), what: `Invoice of ${formatMonthlyPrice(12)} paid`, who: 'Automatic' },
  { at: Date.UTC(2026, 0, 19, 14, 40), what: 'Billing email added', who: OWNER },
  { at: Date.UTC(2026, 0, 12, 8, 5), what: 'Company address changed', who: OWNER },
  { at: Date.UTC(2025, 11, 29, 10, 31), what: 'Plan selected', who: OWNER },
];

export interface InvoiceSample {
  number: string;
  at: number;
  users: number;
  amount: string;
  status: 'Paid' | 'Due';
}

const MONTHS: readonly { at: number; users: number; status: InvoiceSample['status'] }[] = [
  { at: Date.UTC(2026, 2, 1, 12), users: 14, status: 'Due' },
  { at: Date.UTC(2026, 1, 1, 12), users: 12, status: 'Paid' },
  { at: Date.UTC(2026, 0, 1, 12), users: 12, status: 'Paid' },
  { at: Date.UTC(2025, 11, 1, 12), users: 9, status: 'Paid' },
];

/** The newest invoice comes first. The amount is computed from the number of users. */
export const INVOICES: readonly InvoiceSample[] = MONTHS.map(({ at, users, status }, index) => ({
  at,
  users,
  status,
  number: `EXAMPLE-${String(MONTHS.length - index).padStart(3, '0')}`,
  amount: formatMonthlyPrice(users),
}));
