import type { HoldScope } from '#workspace/content/holds/active-holds.rules.ts';

/** True for a hold over everything in the team, or everything between two dates. */
export function isWholeTeam({ user_ids, channel_ids, settings }: HoldScope): boolean {
  return user_ids.length === 0 && channel_ids.length === 0 && settings.length === 0;
}

/** An empty list covers everything. */
function coversList(list: readonly string[], other: readonly string[]): boolean {
  if (list.length === 0) return true;
  const listed = new Set(list);
  return other.length > 0 && other.every((id) => listed.has(id));
}

export function covers(scope: HoldScope, other: HoldScope): boolean {
  return (
    coversList(scope.user_ids, other.user_ids) &&
    coversList(scope.channel_ids, other.channel_ids) &&
    coversList(scope.settings, other.settings) &&
    (scope.from === null || (other.from !== null && scope.from <= other.from)) &&
    (scope.to === null || (other.to !== null && scope.to >= other.to))
  );
}
