import { previewTemplate, testIntegration } from '@steward/contract/integrations';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import type { Limit } from '#platform/security/throttle.ts';
import type { Access } from '#workspace/access/access.ts';
import { toChatText } from '../hook/chat-text.rules.ts';
import { findVendor } from '../providers/vendors.ts';
import { toPlainText } from './escape-markup.ts';
import { checkTemplate } from './template.ts';
import { sendTest } from './test-message.actions.ts';

/** Rendering takes the processor from everybody; somebody who types asks for fewer than this. */
const PREVIEWS: Limit = { name: 'template-previews', tries: 120, seconds: 60 };

/** Serves the calls about a template that need not be saved. */
export function templateRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, previewTemplate, access.teamAdmin, async ({ params, body, who }) => {
    if (!findVendor(params.teamId, params.integrationId)) refuse('record.not_found');
    if (!(await deps.throttle.allows(PREVIEWS, who.personId))) refuse('rate.limited');
    const { json, problems } = checkTemplate(body.message);
    return { json, text: json === '' ? '' : toPlainText(toChatText(json).text), problems };
  });

  serve(app, testIntegration, access.teamAdmin, ({ params: place, body, who, origin }) => {
    if (!findVendor(place.teamId, place.integrationId)) refuse('record.not_found');
    return sendTest(deps, { place, actorId: who.personId, origin }, body);
  });
}
