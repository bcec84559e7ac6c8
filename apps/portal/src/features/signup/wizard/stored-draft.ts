import { tabStorage } from '#platform/storage/browser-storage.ts';

/** The answers of the wizard, kept for a reload. Cleared when its link is used in this tab, on Start over and on sign-out. */
export const storedDraft = tabStorage('signup.draft');

/** Set when a sign-up was finished in this tab, so that going back to its screen says so. */
export const storedSignUpEnd = tabStorage('signup.end');
