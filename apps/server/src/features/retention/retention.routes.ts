// What an admin does here: sets what is deleted and when, sees it before, runs it, and reads what was done.
// Owns retention_policies, retention_runs and retention_nights; counts and removes messages, files and records.

import type { Answer, AnyEndpoint, Received } from '@steward/contract/api/endpoint';
import {
  getFileRetention,
  getMeetingRetention,
  getMessageRetention,
  getNoteRetention,
  getRetention,
  getTaskRetention,
  getVoiceRetention,
  saveFileRetention,
  saveMeetingRetention,
  saveMessageRetention,
  saveNoteRetention,
  saveTaskRetention,
  saveVoiceRetention,
} from '@steward/contract/retention';
import type { RetentionKind, SavedRule } from '@steward/contract/retention/fields';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { getOverview } from './rules/overview.actions.ts';
import { countRoutes } from './rules/preview-rules.routes.ts';
import { getPolicies, type RulesByKind, savedRules, saveRules } from './rules/save-rules.actions.ts';
import { runRoutes } from './runs/runs.routes.ts';

interface Room {
  app: FastifyInstance;
  deps: Deps;
  access: Access;
}

/** Serves the calls of the retention room. */
export function retentionRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const room = { app, deps, access };
  serveGroup(room, {
    get: getFileRetention,
    save: saveFileRetention,
    toRules: (body) => ({ files: body }),
    toResponse: (saved) => saved.files,
  });
  // Of all kinds, the answer is stripped to those of the group.
  const byName = { toRules: (body: RulesByKind) => body, toResponse: (saved: SavedRules) => saved };
  serveGroup(room, { get: getMessageRetention, save: saveMessageRetention, ...byName });
  serveGroup(room, { get: getNoteRetention, save: saveNoteRetention, ...byName });
  serveGroup(room, { get: getTaskRetention, save: saveTaskRetention, ...byName });
  serveGroup(room, { get: getMeetingRetention, save: saveMeetingRetention, ...byName });
  serveGroup(room, { get: getVoiceRetention, save: saveVoiceRetention, ...byName });

  serve(app, getRetention, access.teamAdmin, async ({ who }) => getOverview(deps.db, who.teamId));
  countRoutes(app, deps, access);
  runRoutes(app, deps, access);
}

type SavedRules = Record<RetentionKind, SavedRule>;

/** The settings of one screen: reading them, and saving them whole. */
function serveGroup<Get extends AnyEndpoint, Save extends AnyEndpoint>(
  { app, deps, access }: Room,
  group: {
    get: Get;
    save: Save;
    toRules(body: Received<Save>['body']): RulesByKind;
    toResponse(saved: SavedRules): Answer<Get> & Answer<Save>;
  },
): void {
  serve(app, group.get, access.teamAdmin, async ({ who }) => {
    const { of } = await getPolicies(deps.db, who.teamId);
    return group.toResponse(savedRules(of));
  });
  serveChange({ app, deps }, group.save, access.teamAdmin, async (trx, { who, body }) => {
    const rules = group.toRules(body);
    const { saved, audit } = await saveRules(trx, deps, { teamId: who.teamId, actorId: who.personId, rules });
    return { answer: group.toResponse(savedRules(saved)), audit };
  });
}
