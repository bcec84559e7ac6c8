// biome-ignore-all lint/a11y/useSemanticElements: rows that are laid out one by one lose a table's meaning; the roles keep it
// biome-ignore-all lint/a11y/useFocusableInteractive: rows of a plain table are read, not focused; what is in them is
import type { ReactNode } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import classes from './data-table.module.css';

export interface Sorting {
  by: string;
  descending: boolean;
  onSort: (by: string) => void;
}

interface SortHeaderProps {
  before: ReactNode;
  header: string;
  sort: string;
  sorting: Sorting;
}

export function SortHeader({ before, header, sort, sorting }: SortHeaderProps) {
  const direction = sorting.by !== sort ? 'none' : sorting.descending ? 'descending' : 'ascending';
  return (
    <div role="columnheader" className={classes.headerCell} aria-sort={direction}>
      {before}
      <button type="button" className={classes.sort} onClick={() => sorting.onSort(sort)}>
        {header}
        {direction !== 'none' && <Icon name={direction} size={14} />}
      </button>
    </div>
  );
}
