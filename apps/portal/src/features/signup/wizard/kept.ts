import { storedInTab } from '#platform/storage/stored.ts';

/** The answers of the wizard, for a reload; cleared when its link is used in this tab, at «Start over», at sign-out. */
export const keptDraft = storedInTab('signup.draft');

/** That a sign-up was finished in this tab: whoever steps back to its screen is told so. */
export const keptEnd = storedInTab('signup.end');
