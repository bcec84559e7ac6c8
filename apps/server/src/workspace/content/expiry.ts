/** Which clock a rule goes by: the one that items of the kind have of their own, or when they were marked deleted. */
export type RetentionClock = 'own' | 'marked';

/** Items of a team whose clock lies before the cutoff, strictly (design §6). The cutoff is in milliseconds. */
export interface Reach {
  teamId: string;
  clock: RetentionClock;
  cutoff: number;
}

/** How many they are, their bytes, and the clocks of the oldest and the newest; null when there is none. */
export interface ReachCount {
  count: number;
  bytes: number;
  oldest: number | null;
  newest: number | null;
}

/** All that is stored of a kind, whatever its clock says. */
export interface Stored {
  count: number;
  bytes: number;
  oldest: number | null;
}

/** Where a walk over items in the order of their clocks has come to. */
export interface Place {
  clock: number;
  id: string;
}

/** One step of such a walk: the items after a place, at most so many. */
export interface Step {
  after: Place;
  limit: number;
}

/** What a step removed, and where it came to; `last` is null when nothing is left behind it. */
export interface Removed {
  count: number;
  bytes: number;
  last: Place | null;
}

/** An item on its way out: hidden already, its blob still to be deleted. */
export interface MarkedItem extends Place {
  blob: string | null;
  size: number;
}
