/** What a file of the build would hold if only modules that the same screens need shared one. */
export interface Chunk {
  name: string;
  /** Bytes that its code takes. */
  bytes: number;
  /** Names of the chunks that it imports. */
  imports: readonly string[];
  /** Screens that load it. */
  screens: ReadonlySet<string>;
}

interface Costs {
  /** Bytes that one request more is worth. */
  request: number;
  /** How much a screen counts. */
  weigh: (screen: string) => number;
}

interface Group {
  names: string[];
  bytes: number;
  imports: Set<Group>;
  screens: Set<string>;
}

/**
 * Decides which chunks become one file: those where the requests saved outweigh the code that some screens then load without need, best ones
 * first. Files never import each other in a circle. Returns the names of the chunks of each file.
 */
export function mergeChunks(chunks: readonly Chunk[], costs: Costs): string[][] {
  const groups = toGroups(chunks);
  const gains = new Map([...groups].map((group) => [group, new Map<Group, number>()]));
  const compare = (left: Group, right: Group) => {
    const gain = getGain(left, right, costs);
    if (gain > 0) gains.get(left)?.set(right, gain);
  };
  const list = [...groups];
  for (const [at, left] of list.entries()) for (const right of list.slice(at + 1)) compare(left, right);
  for (let pair = findBest(gains); pair !== undefined; pair = findBest(gains)) {
    const [left, right] = pair;
    gains.get(left)?.delete(right);
    if (isBetween(left, right) || isBetween(right, left)) continue;
    join(left, right, groups);
    gains.delete(right);
    for (const others of gains.values()) others.delete(right);
    for (const other of groups) {
      if (other === left) continue;
      gains.get(other)?.delete(left);
      gains.get(left)?.delete(other);
      compare(left, other);
    }
  }
  return [...groups].map(({ names }) => names);
}

function toGroups(chunks: readonly Chunk[]): Set<Group> {
  const byName = new Map<string, Group>(
    chunks.map(({ name, bytes, screens }) => [
      name,
      { names: [name], bytes, imports: new Set(), screens: new Set(screens) },
    ]),
  );
  for (const { name, imports } of chunks) {
    const group = byName.get(name);
    for (const imported of imports.map((each) => byName.get(each))) if (imported) group?.imports.add(imported);
  }
  return new Set(byName.values());
}

/** Bytes saved by making one file of two, over all screens. */
function getGain(left: Group, right: Group, { request, weigh }: Costs): number {
  let gain = 0;
  for (const screen of left.screens) gain += weigh(screen) * (right.screens.has(screen) ? request : -right.bytes);
  for (const screen of right.screens) if (!left.screens.has(screen)) gain -= weigh(screen) * left.bytes;
  return gain;
}

function findBest(gains: ReadonlyMap<Group, ReadonlyMap<Group, number>>): [Group, Group] | undefined {
  let best: [Group, Group] | undefined;
  let most = 0;
  for (const [left, others] of gains) {
    for (const [right, gain] of others) {
      if (gain <= most) continue;
      most = gain;
      best = [left, right];
    }
  }
  return best;
}

/** Whether `from` imports `to` through others: together they would import each other in a circle with these. */
function isBetween(from: Group, to: Group): boolean {
  const seen = new Set<Group>([from, to]);
  const visit = (group: Group): boolean => {
    if (group.imports.has(to)) return true;
    return [...group.imports].some((next) => !seen.has(next) && seen.add(next) && visit(next));
  };
  return [...from.imports].some((next) => next !== to && seen.add(next) && visit(next));
}

function join(left: Group, right: Group, groups: Set<Group>): void {
  left.names.push(...right.names);
  left.bytes += right.bytes;
  for (const imported of right.imports) left.imports.add(imported);
  for (const screen of right.screens) left.screens.add(screen);
  groups.delete(right);
  for (const group of groups) if (group.imports.delete(right)) group.imports.add(left);
  left.imports.delete(left);
}
