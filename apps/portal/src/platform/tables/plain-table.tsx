// biome-ignore-all lint/a11y/useSemanticElements: rows that become cards lose a table's meaning; the roles keep it
// biome-ignore-all lint/a11y/useFocusableInteractive: rows of a plain table are read, not focused; what is in them is
import type { CSSProperties, ReactNode } from 'react';
import classes from './plain-table.module.css';

/** One column; in a card its cell becomes a line, except the first, which is the card's title. */
export interface PlainColumn<Row> {
  id: string;
  header: string;
  /** Track of the CSS grid, such as `minmax(0, 2fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
}

interface PlainTableProps<Row> {
  /** What the table lists, read out as its name. */
  label: string;
  columns: readonly PlainColumn<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Rows that are no longer what is asked for, while the next ones come. */
  isStale?: boolean;
}

/** A table of few rows, each as high as its content; where it would be too narrow, each row is a card. */
export function PlainTable<Row>({ label, columns, rows, rowId, isStale = false }: PlainTableProps<Row>) {
  const tracks = { '--columns': columns.map(({ width }) => width).join(' ') } as CSSProperties;
  return (
    <div className={classes.frame} data-many={columns.length > 4 || undefined}>
      <div role="table" aria-label={label} aria-busy={isStale} className={classes.table} style={tracks}>
        <div role="rowgroup" className={classes.header}>
          <div role="row" className={classes.row}>
            {columns.map(({ id, header }) => (
              <div key={id} role="columnheader" className={classes.heading}>
                {header}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" data-stale={isStale || undefined} className={classes.body}>
          {rows.map((row) => (
            <div key={rowId(row)} role="row" className={classes.row}>
              {columns.map(({ id, header, cell }) => (
                <div key={id} role="cell" className={classes.cell} data-label={header}>
                  <div className={classes.content}>{cell(row)}</div>
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
