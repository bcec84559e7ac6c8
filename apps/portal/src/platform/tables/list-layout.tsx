import type { ReactNode } from 'react';
import { formatNumber } from '#platform/time/format.ts';
import classes from './list-layout.module.css';

/** What the rows of a list are called: one of them, and many. */
interface Words {
  one: string;
  many: string;
}

interface ListLayoutProps {
  /** The search and what else narrows the list. */
  search: ReactNode;
  /** How many rows there are; '' while nobody knows. */
  count: string;
  /** What is done with the whole list. */
  actions: ReactNode;
  /** The list itself. */
  children: ReactNode;
}

/** A list with its controls above it; on a phone they take a line each before they crowd. */
export function ListLayout({ search, count, actions, children }: ListLayoutProps) {
  return (
    <div className={classes.list} data-list>
      <div className={classes.toolbar}>
        {search}
        <span role="status" className={classes.count}>
          {count}
        </span>
        {actions}
      </div>
      {children}
    </div>
  );
}

/** How many rows are loaded, and whether that is all of them; '' while nobody knows. */
export function formatCount(count: number | undefined, hasMore: boolean, { one, many }: Words): string {
  if (count === undefined) return '';
  const rows = `${formatNumber(count)} ${count === 1 ? one : many}`;
  return hasMore ? `First ${rows}` : rows;
}
