import { resealIntegrations } from '#features/integrations/connection/reseal.actions.ts';
import type { Command } from '../command.ts';

/** Seals stored credentials anew, after SECRET_KEY was replaced. */
export const rotateKey: Command = {
  summary: 'Seal stored credentials with a new SECRET_KEY',
  notes: [
    'Set the new key as SECRET_KEY and the one of before as SECRET_KEY_PREVIOUS, restart the servers, run this with the same\n' +
      'two, and take SECRET_KEY_PREVIOUS away a day later: by then queued mails and kept answers are sealed anew or gone.\n' +
      'Without SECRET_KEY (embedded) the present key stands in the file secret-key of DATA_DIR.',
    'It ends with an error when some cannot be opened by either key; their owners enter them again on the screen.',
  ],
  options: {},
  prepare:
    () =>
    async ({ db, secrets }) => {
      const { resealed, unreadable } = await resealIntegrations(db, secrets);
      return {
        result: { resealed, unreadable },
        lines: [`${resealed} sealed anew, ${unreadable} that neither key opens.`],
        ...(unreadable > 0 ? { failed: true } : {}),
      };
    },
};
