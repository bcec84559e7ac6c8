// biome-ignore-all lint/a11y/useSemanticElements: rows that become cards lose a table's meaning; the roles keep it
// biome-ignore-all lint/a11y/useFocusableInteractive: rows of a plain table are read, not focused; what is in them is
import { useMediaQuery } from '@mantine/hooks';
import type { CSSProperties, ReactNode } from 'react';
import classes from './data-table.module.css';

/** In a card each cell is a line with a label, except the first, which is the card's title. */
export interface PlainColumn<Row> {
  id: string;
  header: string;
  /** Track of the CSS grid, such as `minmax(0, 2fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
}

export interface PlainTableProps<Row> {
  label: string;
  columns: readonly PlainColumn<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** The rows are from the previous request while the next ones load. */
  isStale?: boolean;
  /** A last row with totals has one cell for each column. */
  footer?: readonly ReactNode[];
  /** On a phone, each row is a card because the content is wide, although there are only three columns. */
  isWide?: boolean;
}

/** Below this width, a row of more than four columns is a card. */
const NARROW = '(max-width: 75.99em)';
/** Below this width, so is one of four. */
const PHONE = '(max-width: 47.99em)';

/** Each row is as high as its content. Where many columns don't fit, each row is a card. */
export function PlainTable<Row>({
  label,
  columns,
  rows,
  rowId,
  isStale = false,
  footer,
  isWide = false,
}: PlainTableProps<Row>) {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  const isCards = (isNarrow && columns.length > 4) || (isPhone && (columns.length > 3 || isWide));
  const tracks = { '--columns': columns.map(({ width }) => width).join(' ') } as CSSProperties;
  return (
    <div className={`${classes.frame} ${classes.plain} ${isCards ? classes.cards : ''}`} style={tracks}>
      <div role="table" aria-label={label} aria-busy={isStale}>
        <div role="rowgroup" className={classes.header}>
          <div role="row" className={classes.headerRow}>
            {columns.map(({ id, header }) => (
              <div key={id} role="columnheader" className={classes.headerCell}>
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
          {footer !== undefined && <FooterRow columns={columns} cells={footer} />}
        </div>
      </div>
    </div>
  );
}

function FooterRow({
  columns,
  cells,
}: {
  columns: readonly Pick<PlainColumn<never>, 'id' | 'header'>[];
  cells: readonly ReactNode[];
}) {
  return (
    <div role="row" className={`${classes.row} ${classes.footer}`}>
      {columns.map(({ id, header }, at) => (
        <div key={id} role="cell" className={classes.cell} data-label={header}>
          <div className={classes.content}>{cells[at]}</div>
        </div>
      ))}
    </div>
  );
}
