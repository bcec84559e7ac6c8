import { screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';

/** The rows of the table on the screen, without its header. */
export const getRows = () => screen.getAllByRole('row').filter((row) => row.hasAttribute('data-row'));

export const rowsAre = (count: number) => waitFor(() => expect(getRows()).toHaveLength(count));
