import { previewTemplate, testIntegration } from '@steward/contract/integrations';
import type { FastifyInstance } from 'fastify';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { findLastRequest } from './deliveries/log/delivery-log.store.ts';
import { toPlainText } from './message/escape-markup.ts';
import { findProvider } from './providers/registry.ts';
import type { Rendering } from './rendering/renderer.ts';
import { sendTest } from './test-message.actions.ts';

/** The highest rate of one thread. Typing in the editor stays below it. */
const PREVIEWS = describeLimit({
  name: 'template-previews',
  counts: 'template previews of a user, in all teams',
  attempts: 120,
  seconds: 60,
});

/** Serves the preview and the test message, for templates saved or not. */
export function templateRoutes(app: FastifyInstance, rendering: Rendering, access: Access): void {
  const { deps, renderer } = rendering;
  serve(app, previewTemplate, access.teamAdmin, async ({ params, body, who }) => {
    const provider = findProvider(params.teamId, params.integrationId) ?? refuse('record.not_found');
    if (!(await deps.throttle.allows(PREVIEWS, who.userId))) refuse('rate.limited');
    const last = await findLastRequest(deps.db, params);
    const template = { code: provider.code, message: body.message, last };
    const { json, text, problems } = await renderer.check(params.teamId, template);
    return { json, text: toPlainText(text), problems };
  });

  serve(app, testIntegration, access.teamAdmin, ({ params: place, body, who, authorize, origin }) => {
    const provider = findProvider(place.teamId, place.integrationId) ?? refuse('record.not_found');
    return sendTest(rendering, { place, provider, actorId: who.userId, authorize, origin }, body);
  });
}
