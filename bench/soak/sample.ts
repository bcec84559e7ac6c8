import type { BenchDatabase } from '../setup/database.ts';
import { openClient } from '../setup/load.ts';
import type { Server } from '../setup/processes.ts';

/** Tables that grow with use; each has a job that cleans it up. */
const GROWING = [
  'sessions',
  'idempotency_keys',
  'throttles',
  'links',
  'mails',
  'audit_events',
  'deliveries',
  'delivery_channels',
  'directory_imports',
  'directory_import_changes',
  'messages',
  'loose_blobs',
  'pgboss.job',
] as const;

/** The server's figures at one moment, by name. */
export interface Sample {
  /** Seconds since the start. */
  at: number;
  figures: Record<string, number>;
  rows: Record<string, number>;
}

/** Reads the server's metrics and counts rows. */
export async function takeSample(server: Server, database: BenchDatabase, from: number): Promise<Sample> {
  const client = openClient(server.port);
  const text = (await client.send({ path: '/metrics' })).body.toString();
  client.close();
  const value = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1] ?? 0,
    );
  const mib = (name: string) => value(name) / 2 ** 20;
  const counts = GROWING.map((table) => `(select count(*)::int from ${table}) as "${table}"`);
  const { rows } = await database.pool.query<Record<string, number>>(`select ${counts.join(', ')}`);
  return {
    at: (performance.now() - from) / 1000,
    figures: {
      'resident MiB': mib('process_resident_memory_bytes'),
      'heap MiB': mib('nodejs_heap_size_used_bytes'),
      'outside MiB': mib('nodejs_external_memory_bytes'),
      'loop p99 ms': value('nodejs_eventloop_lag_p99_seconds') * 1000,
      sockets: value('nodejs_active_resources{type="TCPSocketWrap"}'),
      'open files': value('process_open_fds'),
      'pool open': value('database_connections{state="open"}'),
      'pool waiting': value('database_connections{state="waiting"}'),
    },
    rows: rows[0] ?? {},
  };
}
