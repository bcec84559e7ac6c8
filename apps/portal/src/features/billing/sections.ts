import { productSlug } from '#platform/product/product.ts';

export interface BillingSection {
  to: string;
  label: string;
}

/** The path of the plan contains the product's name. */
export function billingSections(): readonly BillingSection[] {
  return [
    { to: '/dashboard/billing/settings', label: 'Settings' },
    { to: '/dashboard/billing/activity_log', label: 'Activity Log' },
    { to: '/dashboard/billing/history', label: 'History' },
    { to: '/dashboard/billing/payment_method', label: 'Payment Method' },
    { to: changePlanPath(), label: 'Plan' },
  ];
}

export function changePlanPath(): string {
  return `/dashboard/billing/change_${productSlug()}_plan`;
}

export function plansPath(): string {
  return `/dashboard/billing/${productSlug()}_plans`;
}
