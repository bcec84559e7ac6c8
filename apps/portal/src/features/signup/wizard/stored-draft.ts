import { tabStorage } from '#platform/storage/browser-storage.ts';

/** The answers of the wizard, for a reload; cleared when its link is used in this tab, at «Start over», at sign-out. */
export const storedDraft = tabStorage('signup.draft');

/** That a sign-up was finished in this tab: whoever steps back to its screen is told so. */
export const storedSignUpEnd = tabStorage('signup.end');
