import { type House, listImports, type Problem } from './house-files.ts';
import { resolveImport } from './imported-files.ts';

/** Storeys and their height. An import may stay at its height or go down. */
const STOREYS = { platform: 0, migrations: 0, workspace: 1, features: 2, operator: 3, app: 3 };

interface Place {
  /** apps/server or apps/portal. */
  app: string;
  storey: keyof typeof STOREYS;
  /** First folder inside the storey: a room in features. */
  room: string;
  /** Folder inside the room; '' for a file at its top. */
  inner: string;
}

/**
 * Imports go down: contract, platform, workspace, features, app. Rooms never import each other, and two inner folders of
 * one room import each other in one direction at most. `../` is fine inside a room.
 */
export function brokenImports(house: House): Problem[] {
  const files = new Set(house.files);
  const problems: Problem[] = [];
  const edges = new Map<string, string>();
  for (const file of house.files) {
    const from = getPlace(file);
    if (!from || !/\.tsx?$/.test(file)) continue;
    for (const name of listImports(house.read(file))) {
      const target = resolveImport(file, name, files);
      const to = target === undefined ? undefined : getPlace(target);
      if (!to) continue;
      const fault = directionFault(file, from, to);
      if (fault) problems.push({ rule: 'imports', file, text: `${name}: ${fault}` });
      if (!/\.test\.tsx?$/.test(file)) addEdge(edges, { from, to, file });
    }
  }
  return [...problems, ...mutualFolders(edges)];
}

function getPlace(file: string): Place | undefined {
  const [, app = '', storey = '', rest = ''] = /^(apps\/(?:server|portal))\/src\/([^/]+)\/(.+)$/.exec(file) ?? [];
  if (!(storey in STOREYS)) return undefined;
  const [room = '', inner = ''] = rest.split('/').slice(0, -1);
  return { app, storey: storey as Place['storey'], room, inner };
}

function directionFault(file: string, from: Place, to: Place): string | undefined {
  if (from.app !== to.app) return 'the server and the portal never import each other';
  if (STOREYS[to.storey] > STOREYS[from.storey]) return `${from.storey} imports nothing of ${to.storey}`;
  const isTest = /\.test\.tsx?$/.test(file);
  if (from.storey === 'features' && to.storey === 'features' && from.room !== to.room && !isTest) {
    return 'rooms never import each other: what two rooms need moves down to workspace';
  }
  return undefined;
}

function addEdge(edges: Map<string, string>, { from, to, file }: { from: Place; to: Place; file: string }): void {
  if (from.storey !== 'features' || to.storey !== 'features' || from.room !== to.room) return;
  if (from.inner === '' || to.inner === '' || from.inner === to.inner) return;
  const room = `${from.app}/src/features/${from.room}`;
  const key = `${room}/${from.inner} ${room}/${to.inner}`;
  if (!edges.has(key)) edges.set(key, file);
}

function mutualFolders(edges: Map<string, string>): Problem[] {
  return [...edges].flatMap(([key, file]) => {
    const [from = '', to = ''] = key.split(' ');
    const back = edges.get(`${to} ${from}`);
    if (back === undefined || from > to) return [];
    return [{ rule: 'imports', file, text: `${from} and ${to} import each other (see ${back}): choose one direction` }];
  });
}
