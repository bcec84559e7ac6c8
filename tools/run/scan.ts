// `npm run scan` runs Schemathesis (from PyPI, not installed with this project), which generates requests from openapi.json and
// sends them to a server with a team, as its owner. Options after `--` are passed to Schemathesis.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '@steward/server/testing/app/start-app.ts';
import { createTeamWithMembers } from '@steward/server/testing/workspace/factories.ts';

const PROGRAM = process.env.SCHEMATHESIS ?? 'schemathesis';
const SECONDS = '240';

/**
 * One check is excluded: that everything the document allows is accepted. The document describes types and lengths. The server
 * decides which fields belong together, if a link still works and which users a call may be about, and answers with a 4xx
 * otherwise.
 */
const CHECKS = ['--checks', 'all', '--exclude-checks', 'positive_data_acceptance'];
/** One call ends the session of all requests. The other takes lines of JSON, which Schemathesis can't write. */
const LEFT_OUT = ['--exclude-operation-id', 'logout', '--exclude-operation-id', 'addContent'];

/** A request that is too large is refused before it is compared with the schema. */
const toConfig = (teamId: string) => `[parameters]
"path.teamId" = "${teamId}"

[checks]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]
`;

if (spawnSync(PROGRAM, ['--version']).error) {
  process.stderr.write('Schemathesis is missing. Install it (pip install schemathesis), or name it in SCHEMATHESIS.\n');
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'steward-scan-'));
try {
  await using node = await startApp({ listen: true, pool: 8, env: { LIMITS: 'off', PUBLIC_URL: 'http://localhost' } });
  const { id, owner } = await createTeamWithMembers(node);
  const document = await node.app.inject({ url: '/api/v4/openapi.json', headers: { host: 'localhost' } });
  writeFileSync(join(folder, 'openapi.json'), document.body);
  writeFileSync(join(folder, 'schemathesis.toml'), toConfig(id));
  const given = process.argv.slice(2);
  const scan = spawn(
    PROGRAM,
    [
      ...['--config-file', join(folder, 'schemathesis.toml'), 'run', join(folder, 'openapi.json'), '--url', node.url],
      ...['-H', `Cookie: ${owner.cookie}`, '--max-time', SECONDS, '--continue-on-failure', '--no-color'],
      ...[...CHECKS, ...LEFT_OUT, ...given],
    ],
    { stdio: 'inherit', cwd: folder },
  );
  const [code] = (await once(scan, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
