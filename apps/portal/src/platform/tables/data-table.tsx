// biome-ignore-all lint/a11y/useSemanticElements: rows that are laid out one by one lose a table's meaning; the roles keep it
// biome-ignore-all lint/a11y/useFocusableInteractive: rows of a plain table are read, not focused; what is in them is
import { Group, Loader } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { LIST_THRESHOLD_ROWS } from '@steward/contract/api/limits';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type CSSProperties, memo, type ReactNode, useEffect, useMemo } from 'react';
import { type Failure, getFailureMessage } from '#platform/api/failure.ts';
import type { Listed } from '#platform/api/queries.ts';
import { RowButton } from '#platform/forms/row-button.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { PageError } from '#platform/page/page.tsx';
import hidden from '#platform/page/visually-hidden.module.css';
import classes from './data-table.module.css';
import { SortHeader, type Sorting } from './sort-header.tsx';
import { useVirtualRows } from './virtual-rows.ts';

/** On a phone the cell of a column is part of a card. */
export interface Column<Row> {
  id: string;
  header: string;
  /** The icon is before the text of a header that sorts. Cards have no headers. */
  headerBefore?: ReactNode;
  /** The header is for screen readers only. */
  headerHidden?: boolean;
  /** Track of the CSS grid on a wide screen, such as `minmax(0, 2fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
  /** The shape of the cell while rows load. */
  skeleton?: ReactNode;
  /** Pressing the header sorts the list by this. */
  sort?: string;
  /** The column is left out of cards. */
  isWideOnly?: boolean;
}

/** The part of an infinite query that a table needs. */
export type RowList<Row> = Pick<
  UseInfiniteQueryResult<Listed<Row>, Failure>,
  | 'data'
  | 'error'
  | 'isPlaceholderData'
  | 'isFetching'
  | 'isFetchNextPageError'
  | 'hasNextPage'
  | 'fetchNextPage'
  | 'refetch'
>;

interface DataTableProps<Row> {
  label: string;
  /** This must be stable between renders; otherwise every row renders again. */
  columns: readonly Column<Row>[];
  list: RowList<Row>;
  rowId: (row: Row) => string;
  /** Identifies the list by its path and query, so that each list keeps its scroll position. */
  place: string;
  /** Shown when the list is empty. */
  empty: ReactNode;
  end: ReactNode;
  /** Width in em below which each row is a card. More columns need more space. */
  cardsBelow?: number;
  /** Headers can only be pressed if this is set. */
  sorting?: Sorting;
}

/**
 * A list of any length: all rows have the same height, only those near the viewport are in the document, and the next
 * page is fetched when 4 rows are left below. The window scrolls, so that it works at any zoom and on a phone.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, list, rowId, empty, end, cardsBelow = 48 } = props;
  const isCards = useMediaQuery(`(max-width: ${cardsBelow - 0.01}em)`, false, { getInitialValueInEffect: false });
  // The columns keep their identity while the layout is the same, so that rows don't render again.
  const columns = useMemo(
    () => (isCards ? props.columns.filter(({ isWideOnly }) => isWideOnly !== true) : props.columns),
    [props.columns, isCards],
  );
  const rows = list.data?.records;
  if (rows === undefined && list.error !== null) {
    return <PageError failure={list.error} onRetry={() => void list.refetch()} />;
  }
  if (rows?.length === 0 && !list.hasNextPage) return empty;
  const cardRem = cardHeight(columns.length);
  const tracks = {
    '--columns': columns.map(({ width }) => width).join(' '),
    '--card': `${cardRem}rem`,
  } as CSSProperties;
  return (
    <div className={`${classes.frame} ${isCards ? classes.cards : ''}`} style={tracks}>
      <div
        role="table"
        aria-label={label}
        aria-rowcount={rows === undefined || list.hasNextPage ? -1 : rows.length + 1}
        aria-busy={rows === undefined || list.isPlaceholderData}
      >
        <Header columns={columns} sorting={isCards ? undefined : props.sorting} />
        {rows === undefined ? (
          <SkeletonRows columns={columns} />
        ) : (
          <Rows
            rows={rows}
            columns={columns}
            list={list}
            rowId={rowId}
            place={props.place}
            cardRem={isCards ? cardRem : null}
          />
        )}
      </div>
      {rows !== undefined && <ListEnd list={list} end={end} />}
    </div>
  );
}

/** A card has the first and the last cell on one line and each of the others on its own line. Sizes are in rem. */
function cardHeight(columns: number): number {
  return 4.75 + 1.875 * (columns - 2);
}

interface HeaderProps<Row> {
  columns: readonly Column<Row>[];
  sorting: Sorting | undefined;
}

function Header<Row>({ columns, sorting }: HeaderProps<Row>) {
  return (
    <div role="rowgroup" className={classes.header}>
      <div role="row" className={classes.headerRow} aria-rowindex={1}>
        {columns.map(({ id, header, headerBefore, headerHidden, sort }) =>
          sort !== undefined && sorting !== undefined ? (
            <SortHeader key={id} before={headerBefore} header={header} sort={sort} sorting={sorting} />
          ) : (
            <div key={id} role="columnheader" className={classes.headerCell}>
              <span className={headerHidden ? hidden.unseen : undefined}>{header}</span>
            </div>
          ),
        )}
      </div>
    </div>
  );
}

interface RowsProps<Row> extends Pick<DataTableProps<Row>, 'columns' | 'list' | 'rowId' | 'place'> {
  rows: readonly Row[];
  /** Height of a card; null if rows are not cards. */
  cardRem: number | null;
}

function Rows<Row>({ rows, columns, list, rowId, place, cardRem }: RowsProps<Row>) {
  const { body, items, height, lastInView, keepRow } = useVirtualRows({ count: rows.length, place, cardRem });
  const wantsMore =
    lastInView >= rows.length - 1 - LIST_THRESHOLD_ROWS &&
    list.hasNextPage &&
    !list.isFetching &&
    !list.isFetchNextPageError;
  const { fetchNextPage } = list;

  // This is an effect and not a scroll handler, because a page that is shorter than the viewport must fetch the next one too.
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);

  return (
    <div
      ref={body}
      role="rowgroup"
      className={classes.body}
      style={{ height }}
      data-stale={list.isPlaceholderData || undefined}
      onFocus={({ target }) => keepRow(Number(target.closest('[data-row]')?.getAttribute('data-row') ?? -1))}
      onBlur={() => keepRow(-1)}
    >
      {items.map(({ index, top }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return <TableRow key={rowId(row)} row={row} columns={columns} index={index} top={top} />;
      })}
    </div>
  );
}

interface TableRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  index: number;
  top: number;
}

function PlainRow<Row>({ row, columns, index, top }: TableRowProps<Row>) {
  return (
    <div
      role="row"
      className={classes.row}
      aria-rowindex={index + 2}
      data-row={index}
      style={{ transform: `translateY(${top}px)` }}
    >
      {columns.map(({ id, header, cell }) => (
        <div key={id} role="cell" className={classes.cell} data-label={header}>
          {cell(row)}
        </div>
      ))}
    </div>
  );
}

// memo() alone would lose the type parameter.
const TableRow = memo(PlainRow) as typeof PlainRow;

const SKELETON_ROWS = Array.from({ length: 12 }, (_, row) => row);

function SkeletonRows<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <div className={classes.skeletons} aria-hidden="true">
      {SKELETON_ROWS.map((row) => (
        <div key={row} className={classes.skeletonRow}>
          {columns.map(({ id, skeleton }) => (
            <div key={id} className={classes.cell}>
              {skeleton}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

interface SkeletonBarProps {
  width: string;
  height?: string;
  isRound?: boolean;
}

export function SkeletonBar({ width, height = '0.75rem', isRound = false }: SkeletonBarProps) {
  return <span className={classes.bar} style={{ width, height, ...(isRound && { borderRadius: '50%' }) }} />;
}

function ListEnd<Row>({ list, end }: { list: RowList<Row>; end: ReactNode }) {
  if (list.isFetchNextPageError) {
    return (
      <Foot role="alert">
        <Icon name="warning" size={16} />
        <span>Couldn’t load more rows: {getFailureMessage(list.error)}</span>
        <RowButton onClick={() => void list.fetchNextPage()}>Retry</RowButton>
      </Foot>
    );
  }
  return (
    <Foot>
      {list.hasNextPage ? (
        <>
          <Loader size={14} aria-hidden="true" />
          <span>Loading more…</span>
        </>
      ) : (
        end
      )}
    </Foot>
  );
}

function Foot({ role, children }: { role?: 'alert'; children: ReactNode }) {
  return (
    <Group
      role={role}
      justify="center"
      gap={10}
      mih="3.25rem"
      px="md"
      py={8}
      c={role === 'alert' ? 'var(--danger)' : 'dimmed'}
      fz="0.8125rem"
      className="figures"
    >
      {children}
    </Group>
  );
}
