import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { killableServer } from '#testing/app/killable-server.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { startSmtpServer } from '#testing/peers/smtp-test-server.ts';
import { channel } from '#testing/workspace/content.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';
import { helpdesk } from '#testing/workspace/integrations.ts';
import type { DatabaseCluster } from './cluster.ts';
import type { Place } from './steps.ts';

const METRICS_TOKEN = 'a-token-for-metrics';

export type Steward = Awaited<ReturnType<typeof startSteward>>;

export async function startSteward({ layout, urls }: DatabaseCluster) {
  const smtp = await startSmtpServer();
  const filesUrl = pathToFileURL(join(layout.directory, 'files')).href;
  const database = { url: urls.direct, pooler: { connectionString: urls.pooler } };
  const servers = [1, 2, 3].map((at) =>
    killableServer(
      { database, deps: { env: { FILES_URL: filesUrl } } },
      {
        roles: 'web,worker',
        env: {
          DATABASE_REPLICA_URL: urls.replica,
          METRICS_TOKEN,
          PORT: String(layout.port(`WEB${at}_PORT`)),
          SMTP_URL: smtp.url,
          TRUST_PROXY: '1',
          // A client calls more often than a user does.
          PUBLIC_URL: 'http://localhost',
          LIMITS: 'off',
          DRAIN_SECONDS: '2',
        },
      },
    ),
  );
  // The first server applies the migrations.
  for (const server of servers) await server.start();
  const connection = { connectionString: urls.direct };
  const direct = { url: urls.direct, connection, [Symbol.asyncDispose]: async () => {} };
  const node = await startApp({ database: direct, work: false, pool: 4 });
  return {
    url: `http://127.0.0.1:${layout.port('WEB_PORT')}`,
    servers,
    node,
    smtp,
    /** Counts reads answered by replicas since the last start of each node. */
    async countReplicaReads() {
      const counts = await Promise.all([1, 2, 3].map((at) => readReplicaReads(layout.port(`WEB${at}_PORT`))));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async createPlaces(count: number) {
      const places: Place[] = [];
      for (let at = 0; at < count; at += 1) places.push(await createPlace(node));
      return places;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.kill()));
      await node[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
    },
  };
}

async function readReplicaReads(port: number): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  return Number(/^replica_reads\{state="replica"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

async function createPlace(node: TestApp): Promise<Place> {
  const team = await createTeamWithMembers(node);
  // A team in its first week may invite fewer users than the load does.
  await node.db.updateTable('teams').set({ create_at: 0 }).where('id', '=', team.id).execute();
  const channels = [await channel(node, team.id), await channel(node, team.id)];
  return { team, desk: await helpdesk(node, team.id, { channels }) };
}
