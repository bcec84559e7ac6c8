import { z } from 'zod';
import { COUNT } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Email, Id, text } from '../api/fields.ts';
import {
  EXCEPTION_REASON_MAX,
  INACTIVITY_DAYS_MAX,
  INACTIVITY_DAYS_MIN,
  REPORTED_USERS_MAX,
  SMALL_BODY_MAX,
} from '../api/limits.ts';
import { EndDate } from './users.ts';

const TeamParams = z.object({ teamId: Id });
const NightParams = TeamParams.extend({ night: z.iso.date('must be a date such as 2027-03-31') });

/** Who tells when members were active: `sso` by signing in, `reports` by a service token that speaks for users. */
export const ActivitySourceKind = z.enum(['sso', 'reports']);
export type ActivitySourceKind = z.infer<typeof ActivitySourceKind>;

export const ActivitySource = z.object({
  kind: ActivitySourceKind,
  /** Single sign-on is on, or there is a token that can report. */
  is_on: z.boolean(),
  /** Times are milliseconds since 1970. Nobody counts as inactive before this one. */
  began_at: z.int(),
  /** The last report. */
  heard_at: z.int(),
  /** It reported nothing for a day. */
  is_silent: z.boolean(),
});
export type ActivitySource = z.infer<typeof ActivitySource>;

export const InactivityRule = z.object({
  is_on: z.boolean(),
  source: ActivitySourceKind,
  /** Days without activity after which a member is warned. */
  days: z
    .int('must be a whole number')
    .min(INACTIVITY_DAYS_MIN, `must be at least ${INACTIVITY_DAYS_MIN}`)
    .max(INACTIVITY_DAYS_MAX, `must be at most ${INACTIVITY_DAYS_MAX}`),
  /** Leaves out people whom an active legal hold names. */
  skips_held: z.boolean(),
  /** Leaves out members whom the identity provider manages. */
  skips_provisioned: z.boolean(),
});
export type InactivityRule = z.infer<typeof InactivityRule>;

/**
 * `running`: its batches are on their way. `done`. `asks`: it would touch more than 10 % of the members, and does nothing unless
 * an owner confirms it before the next night. `paused`: the source of activity was silent.
 */
export const InactivityNightState = z.enum(['running', 'done', 'asks', 'paused']);

const NightUser = z.object({ id: Id, name: z.string() });
/** Some people of a night: all of them are counted, and the first are named. */
const NightUsers = z.object({ count: z.int(), users: z.array(NightUser) });

export const InactivityNight = z.object({
  /** The date on which the night began to be worked on, in the team's time zone. */
  night: z.string(),
  state: InactivityNightState,
  /** Active members when it began, and those of them whom it asks about. */
  members: z.int(),
  asked: NightUsers,
  warned: NightUsers,
  reminded: NightUsers,
  deactivated: NightUsers,
  confirmed_by_name: z.string(),
  /** Null if it was not undone. */
  undone_at: z.int().nullable(),
  undone_by_name: z.string(),
});
export type InactivityNight = z.infer<typeof InactivityNight>;

export const InactivityException = z.object({
  user_id: Id,
  name: z.string(),
  email: z.string(),
  reason: z.string(),
  /** The last day of the exception; null without an end. */
  until: z.string().nullable(),
  added_by_name: z.string(),
  added_at: z.int(),
});
export type InactivityException = z.infer<typeof InactivityException>;

export const Inactivity = z.object({
  /** A team that never saved a rule has one that is off. */
  rule: InactivityRule,
  /** When it was last switched on; null while it is off. */
  on_since: z.int().nullable(),
  sources: z.array(ActivitySource),
  /** By name. */
  exceptions: z.array(InactivityException),
  /** Members who were warned and can still answer. */
  warned: z.int(),
  /** Members whose warning the mail server did not accept: they are not deactivated, and warned again 14 days later. */
  undelivered: z.array(z.object({ id: Id, name: z.string(), email: z.string(), error: z.string() })),
  /** Newest first: nights of the last 90 days that warned or deactivated somebody, and the last one in any case. */
  nights: z.array(InactivityNight),
});
export type Inactivity = z.infer<typeof Inactivity>;

/** Only for owners. */
export const getInactivity = endpoint({
  name: 'getInactivity',
  method: 'GET',
  path: '/admin/teams/:teamId/inactivity',
  summary: 'Get the inactivity rule of the team, its exceptions and its nights.',
  params: TeamParams,
  answer: Inactivity,
});

/**
 * Replaces the rule. It can be on only with a source of activity (`inactivity.no_source`). Switching it on deactivates nobody
 * within 14 days; switching it off withdraws all warnings. Only for owners with a recently confirmed session.
 */
export const saveInactivity = endpoint({
  name: 'saveInactivity',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/admin/teams/:teamId/inactivity',
  summary: 'Change the inactivity rule of the team.',
  params: TeamParams,
  body: InactivityRule,
  answer: Inactivity,
});

const PreviewNight = z.object({
  night: z.string(),
  warned: NightUsers,
  reminded: NightUsers,
  deactivated: NightUsers,
  /** It touches more than 10 % of the members, so an owner has to confirm it. */
  asks: z.boolean(),
});

export const InactivityPreview = z.object({
  members: z.int(),
  /** Of the next 60, those that would touch somebody. */
  nights: z.array(PreviewNight),
  /** Different members who would be warned and deactivated in these nights. */
  warned: z.int(),
  deactivated: z.int(),
});
export type InactivityPreview = z.infer<typeof InactivityPreview>;

/**
 * Says what the next 60 nights would do with this rule, if nobody is active meanwhile and every warning is delivered. The rule
 * counts as switched on. Needs a source of activity, as saving does.
 */
export const previewInactivity = endpoint({
  name: 'previewInactivity',
  costs: [COUNT],
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/admin/teams/:teamId/inactivity/preview',
  summary: 'Say whom an inactivity rule would warn and deactivate.',
  params: TeamParams,
  body: InactivityRule,
  answer: InactivityPreview,
});

/** Adds a member to the exceptions, or replaces reason and end. A warning of the member is withdrawn. Only for owners. */
export const saveInactivityException = endpoint({
  name: 'saveInactivityException',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/admin/teams/:teamId/inactivity/exceptions',
  summary: 'Except a member from the inactivity rule.',
  params: TeamParams,
  body: z.object({
    user_id: Id,
    reason: text(EXCEPTION_REASON_MAX).trim().min(1, 'is required'),
    until: EndDate.nullable().default(null),
  }),
  answer: Inactivity,
});

export const removeInactivityException = endpoint({
  name: 'removeInactivityException',
  method: 'DELETE',
  path: '/admin/teams/:teamId/inactivity/exceptions/:userId',
  summary: 'End the exception of a member from the inactivity rule.',
  params: TeamParams.extend({ userId: z.string() }),
  answer: Done,
});

/**
 * Lets the last night do what it asked about, at once; people who were active since are left out. The next night asks again, and
 * this one is then refused with `inactivity.night_over`. Only for owners with a recently confirmed session.
 */
export const confirmInactivityNight = endpoint({
  name: 'confirmInactivityNight',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/admin/teams/:teamId/inactivity/nights/:night/confirm',
  summary: 'Confirm a night that would touch many members.',
  params: NightParams,
  answer: Done,
});

/**
 * Restores the memberships that a night deactivated, as they were before, except those that were removed or changed otherwise
 * since. Their inactivity counts from now. Only for owners with a recently confirmed session.
 */
export const undoInactivityNight = endpoint({
  name: 'undoInactivityNight',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/admin/teams/:teamId/inactivity/nights/:night/undo',
  summary: 'Undo the deactivations of a night.',
  params: NightParams,
  answer: z.object({ status_code: z.literal(200), restored: z.int() }),
});

const Token = text(200).min(1, 'is required');

/** Says which team a warning is about. It counts as no activity, since mail scanners open links. */
export const checkStillNeeded = endpoint({
  name: 'checkStillNeeded',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/still_needed_check',
  summary: 'Check the link of a warning about inactivity.',
  body: z.object({ token: Token }),
  answer: z.object({ team_name: z.string(), days: z.int() }),
});

/** Counts as activity of the person who was warned, once. A link that ended in any way gets `inactivity.link_ended`. */
export const confirmStillNeeded = endpoint({
  name: 'confirmStillNeeded',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/still_needed',
  summary: 'Say that access to a team is still needed.',
  body: z.object({ token: Token }),
  answer: Done,
});

const LAST_INSTANT = 253_402_300_799_999;
const Reported = z
  .object({
    /** A member by id or by email address. */
    user_id: Id.optional(),
    email: Email.optional(),
    /** Milliseconds since 1970. A time in the future counts as now. */
    active_at: z.int('must be whole milliseconds since 1970').min(0, 'is before 1970').max(LAST_INSTANT, 'is too late'),
  })
  .refine(({ user_id, email }) => (user_id === undefined) !== (email === undefined), 'needs either user_id or email');

/**
 * Reports when members were active, with a service token that speaks for users. It may be repeated: activity never moves backwards
 * and never into the future. A report without users says that the source works. Members are those with access to the team;
 * others are counted as unknown.
 */
export const reportActivity = endpoint({
  name: 'reportActivity',
  method: 'POST',
  path: '/teams/:teamId/activity',
  summary: 'Report when members were active, with a service token.',
  params: TeamParams,
  body: z.object({
    activity: z.array(Reported).max(REPORTED_USERS_MAX, `must have at most ${REPORTED_USERS_MAX} users`),
  }),
  answer: z.object({ known: z.int(), unknown: z.int() }),
});
