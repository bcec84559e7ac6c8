import { Email } from '@steward/contract/api/fields';
import { INVITEES_MAX } from '@steward/contract/api/limits';
import { TeamName } from '@steward/contract/session/teams';
import type { SignUpRequest } from '@steward/contract/signup';
import { z } from 'zod';
import { browserZone } from '#platform/time/time-zones.ts';
import { normalizeAddress } from './address-list.ts';

/** `done` follows the five steps of the progress bar. */
const STEPS = ['team', 'owner', 'invite', 'review', 'confirm', 'done'] as const;
export type Step = (typeof STEPS)[number];

export const STEPS_TOTAL = STEPS.length - 1;

const Draft = z.object({
  team_name: z.string(),
  owner_email: z.string(),
  invitees: z.array(z.string()),
  time_zone: z.string(),
  sent_at: z.number().nullable(),
});

/**
 * Answers are kept as typed, so rows of `invitees` may be empty. `sent_at` is the time when an email was sent for
 * exactly these answers.
 */
export type Draft = z.infer<typeof Draft>;

export const EMPTY_DRAFT: Draft = {
  team_name: '',
  owner_email: '',
  invitees: ['', '', ''],
  sent_at: null,
  time_zone: browserZone(),
};

/** A draft that can't be read is replaced by an empty one. */
export function parseDraft(stored: string | null): Draft {
  try {
    return Draft.parse(JSON.parse(stored ?? ''));
  } catch {
    return EMPTY_DRAFT;
  }
}

/** No email has been sent yet for the changed answers. */
export function edited(draft: Draft, answers: Partial<Draft>): Draft {
  return { ...draft, sent_at: null, ...answers };
}

/** A step can't be opened while an earlier one has no valid answer. */
export function openStep(draft: Draft, wanted: string | undefined): Step {
  const unanswered = STEPS.findIndex((step) => !isAnswered(draft, step));
  const named = (STEPS as readonly (string | undefined)[]).indexOf(wanted);
  return STEPS[Math.max(0, Math.min(named, unanswered))] as Step;
}

function isAnswered(draft: Draft, step: Step): boolean {
  switch (step) {
    case 'team':
      return teamProblem(draft.team_name) === undefined;
    case 'owner':
      return emailProblem(draft.owner_email) === undefined;
    case 'invite':
      return rowProblems(draft.invitees, draft.owner_email).every((problem) => problem === undefined);
    case 'review':
      return true;
    case 'confirm':
      return draft.sent_at !== null;
    case 'done':
      return false;
  }
}

export function stepNumber(step: Step): number {
  return STEPS.indexOf(step) + 1;
}

export function stepBefore(step: Step): Step {
  return STEPS[STEPS.indexOf(step) - 1] ?? 'team';
}

export function stepAfter(step: Step): Step {
  return STEPS[STEPS.indexOf(step) + 1] ?? 'done';
}

export function teamProblem(name: string): string | undefined {
  const reason = TeamName.safeParse(name).error?.issues[0]?.message;
  if (reason === undefined) return undefined;
  return reason === 'is required' ? 'Name is required.' : `The name ${reason}.`;
}

export function emailProblem(email: string): string | undefined {
  if (email.trim() === '') return 'Email is required.';
  const reason = Email.safeParse(email).error?.issues[0]?.message;
  return reason === undefined ? undefined : `This ${reason}.`;
}

/** Empty rows are valid, because they aren't sent. */
export function rowProblems(rows: readonly string[], ownerEmail: string): (string | undefined)[] {
  const seen = new Set<string>();
  return rows.map((row) => {
    if (row.trim() === '') return undefined;
    const address = normalizeAddress(row);
    const isRepeated = seen.has(address);
    seen.add(address);
    if (isRepeated) return 'This address is already listed.';
    if (address === normalizeAddress(ownerEmail)) return "This is your own address. You'll be in the team anyway.";
    return emailProblem(row) ?? (seen.size > INVITEES_MAX ? `You can invite up to ${INVITEES_MAX} people.` : undefined);
  });
}

export function getInvitees(draft: Draft): string[] {
  return draft.invitees.filter((row) => row.trim() !== '').map((row) => Email.parse(row));
}

export function withoutInvitee(draft: Draft, address: string): Draft {
  return edited(draft, { invitees: draft.invitees.filter((row) => normalizeAddress(row) !== address) });
}

/** The answers must be valid. */
export function toRequest(draft: Draft): SignUpRequest {
  return {
    team_name: TeamName.parse(draft.team_name),
    owner_email: Email.parse(draft.owner_email),
    invitees: getInvitees(draft),
    time_zone: draft.time_zone,
  };
}

/** The email can be sent again after this many seconds. */
export const WAIT_S = 30;

/** Returns whole seconds, and 0 if the clock has been changed in the meantime. */
export function waitAfter(sentAt: number | null, now: number): number {
  const passed = Math.floor((now - (sentAt ?? 0)) / 1_000);
  return passed >= 0 && passed < WAIT_S ? WAIT_S - passed : 0;
}
