import type { Page } from '@playwright/test';

/** A picture to take: how one gets there. */
export interface Screen {
  name: string;
  /** Without the owner's session. */
  signedOut?: boolean;
  show: (page: Page, isPhone: boolean) => Promise<unknown>;
}
