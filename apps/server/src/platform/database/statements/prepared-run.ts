import pg from 'pg';
import { type TakeRow, takeRows } from '../wire/taken-rows.ts';

/** A statement that a connection has prepared, with values for it. */
export interface PreparedStatement {
  /** Its name on the connection. */
  name: string;
  /** Columns of its result, as PostgreSQL described them when it was prepared on this connection. */
  fields: readonly pg.FieldDef[];
  /** As PostgreSQL reads them. */
  values: readonly (string | null)[];
  /** What takes its rows; it then returns none. */
  take?: TakeRow | undefined;
}

/** Called once: with an error, or with the rows of each statement. */
export type RunDone = (error: Error | undefined, rows?: unknown[][]) => void;

type Row = Record<string, unknown>;
type Parse = (text: string) => unknown;

/** A result while its rows arrive. */
interface Reading {
  fields: readonly pg.FieldDef[];
  parsers: readonly Parse[];
  rows: Row[];
}

/**
 * Runs prepared statements one after another without waiting between them: PostgreSQL gets them in one packet. Each has its own snapshot,
 * and one that fails ends the run. Columns aren't described again; if they had changed, PostgreSQL would refuse the statement.
 */
export class PreparedRun implements pg.Submittable {
  /** Read by pg. */
  readonly callback: RunDone;
  readonly #statements: readonly PreparedStatement[];
  readonly #results: Reading[];
  #at = 0;
  #failure: Error | undefined;

  constructor(statements: readonly PreparedStatement[], done: RunDone) {
    this.callback = done;
    this.#statements = statements;
    this.#results = statements.map(({ fields }) => ({ fields, parsers: fields.map(getParser), rows: [] }));
  }

  submit(connection: pg.Connection): void {
    const takers = this.#statements.map(({ take }) => take && this.#guard(take));
    if (takers.some((take) => take !== undefined))
      takeRows(connection.stream, { rows: 'selected', getTaker: () => takers[this.#at] });
    connection.stream.cork();
    for (const { name, values } of this.#statements) {
      connection.bind({ portal: '', statement: name, values } as unknown as pg.BindConfig, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleDataRow({ fields: texts }: { fields: readonly (string | null)[] }): void {
    const { fields, parsers, rows } = this.#results[this.#at] as Reading;
    const row: Row = {};
    try {
      for (let at = 0; at < texts.length; at += 1) {
        const text = texts[at] as string | null;
        row[(fields[at] as pg.FieldDef).name] = text === null ? null : (parsers[at] as Parse)(text);
      }
    } catch (error) {
      // Reported at the end; thrown here, it would end the process.
      this.#failure ??= error as Error;
    }
    rows.push(row);
  }

  handleCommandComplete(): void {
    this.#at += 1;
  }

  /** What a taker throws is reported at the end, too; the other rows are dropped. */
  #guard(take: TakeRow): TakeRow {
    return (bytes, start, end) => {
      if (this.#failure) return;
      try {
        take(bytes, start, end);
      } catch (error) {
        this.#failure = error as Error;
      }
    };
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.callback(this.#failure);
    else
      this.callback(
        undefined,
        this.#results.map(({ rows }) => rows),
      );
  }
}

function getParser({ dataTypeID }: pg.FieldDef): Parse {
  return pg.types.getTypeParser(dataTypeID, 'text') as Parse;
}
