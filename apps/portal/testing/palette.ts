import { listTeamChannels } from '@steward/contract/channels/defaults';
import { listEntries } from '@steward/contract/directory';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import { answer } from './fake-server.ts';

export function answerSearches(): void {
  answer(listEntries, { records: [], last_key: null });
  answer(listTeamChannels, []);
}

export const getPalette = () => within(screen.getByRole('dialog', { name: 'Search' }));
export const getPaletteField = () => getPalette().getByRole('combobox');
export const findChoice = async (name: string | RegExp) => getPalette().findByRole('option', { name });

/** The row that Enter would choose. */
export const getReached = () => getPalette().queryByRole('option', { selected: true });

export async function openPalette(user: UserEvent, text = ''): Promise<void> {
  await screen.findByRole('navigation', { name: 'Main' });
  await user.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(getPaletteField()).toHaveFocus());
  if (text !== '') await user.paste(text);
}

export async function paletteCloses(): Promise<void> {
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Search' })).toBeNull());
}
