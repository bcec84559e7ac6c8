import type { Page } from '@playwright/test';
import type { Screen } from './screen.ts';

async function files(page: Page): Promise<void> {
  await page.goto('/dashboard/files');
  await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor();
  await page.waitForLoadState('networkidle');
}

/** The files screen, and the menu of a file. */
export const FILES_SCREENS: readonly Screen[] = [
  { name: 'files', show: files },
  {
    name: 'files-menu',
    show: async (page) => {
      await files(page);
      await page.getByRole('button', { name: 'Actions for Team meeting.mp4' }).click();
      await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    },
  },
];
