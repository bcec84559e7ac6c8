import {
  checkStillNeeded,
  confirmInactivityNight,
  confirmStillNeeded,
  getInactivity,
  previewInactivity,
  removeInactivityException,
  reportActivity,
  saveInactivity,
  saveInactivityException,
  undoInactivityNight,
} from '@steward/contract/users/inactivity';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { checkLink, confirmByLink, report } from './activity.actions.ts';
import { confirmNight, undoNight } from './nights.actions.ts';
import { addException, changeRule, endException, previewRule, readInactivity } from './rule.actions.ts';

/** The rule that deactivates members without activity, and the calls that tell who is active. */
export function inactivityRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const feature = { app, deps };
  const owner = access.teamOwner;
  const toPlace = ({ who }: { who: { teamId: string; userId: string } }) => ({
    teamId: who.teamId,
    actorId: who.userId,
  });

  serve(app, getInactivity, owner, ({ who }) => readInactivity(deps.db, who.teamId));
  serveChange(feature, saveInactivity, recently(owner), (trx, call) =>
    changeRule(trx, deps, { ...toPlace(call), rule: call.body }),
  );
  serve(app, previewInactivity, owner, (call) => previewRule(deps, { ...toPlace(call), rule: call.body }));
  serveChange(feature, saveInactivityException, owner, (trx, call) => {
    const { user_id: userId, ...exception } = call.body;
    return addException(trx, { ...toPlace(call), userId, ...exception });
  });
  serveChange(feature, removeInactivityException, owner, (trx, call) =>
    endException(trx, { ...toPlace(call), userId: call.params.userId }),
  );
  serveChange(feature, confirmInactivityNight, recently(owner), (trx, call) =>
    confirmNight(trx, { ...toPlace(call), night: call.params.night }),
  );
  serveChange(feature, undoInactivityNight, recently(owner), (trx, call) =>
    undoNight(trx, deps, { ...toPlace(call), night: call.params.night }),
  );
  serve(app, checkStillNeeded, access.anyone, ({ body, origin }) => checkLink(deps, body.token, origin));
  serve(app, confirmStillNeeded, access.anyone, async ({ body, origin }) => {
    await confirmByLink(deps, body.token, origin);
    return { status_code: 200 as const };
  });
  serve(app, reportActivity, access.service, ({ authorize, body }) => report(deps, authorize, body));
}
