import type pg from 'pg';

/** A column of a statement's result, as PostgreSQL describes it before any row. */
export interface ResultColumn {
  name: string;
  /** Object id of its type. */
  dataTypeID: number;
}

interface Protocol {
  parse(query: { text: string; name: string }): void;
  describe(target: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Lets PostgreSQL parse and plan the types of a statement without executing it. Rejects with what is wrong with it. */
export function describeStatement(client: pg.Client, text: string): Promise<ResultColumn[]> {
  return new Promise((resolve, reject) => {
    let columns: ResultColumn[] = [];
    // The interface that pg has for queries of its own kinds, such as cursors.
    client.query({
      submit(connection: Protocol) {
        connection.parse({ text, name: '' });
        connection.describe({ type: 'S', name: '' });
        connection.sync();
      },
      handleRowDescription(message: { fields: ResultColumn[] }) {
        columns = message.fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(columns),
    } as unknown as pg.Submittable);
  });
}
