import { tabStorage } from '#platform/storage/browser-storage.ts';

/** The answers survive a reload. They are cleared when the link is used in this tab, on Start over and on sign-out. */
export const storedDraft = tabStorage('signup.draft');

/** Set when a sign-up was finished in this tab, so that going back to its screen says so. */
export const storedSignUpEnd = tabStorage('signup.end');
