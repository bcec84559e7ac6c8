import { type Context, type Emitter, Liquid, type Template } from 'liquidjs';
import type { Ticket } from '../providers/zendesk/ticket/ticket.ts';
import { type RenderContext, ticketScope } from '../providers/zendesk/ticket/ticket-scope.ts';

/** Filters of Liquid as its own handbook lists them; whatever else the library has, the vendor leaves without effect. */
export const FILTERS: readonly string[] = (
  'abs append at_least at_most capitalize ceil compact concat date default divided_by downcase escape escape_once first ' +
  'floor join last lstrip map minus modulo newline_to_br plus prepend remove remove_first remove_last replace ' +
  'replace_first replace_last reverse round rstrip size slice sort sort_natural split strip strip_html strip_newlines ' +
  'sum times truncate truncatewords uniq upcase url_decode url_encode where'
).split(' ');

/** Tags that read other files: there are none. */
const FILE_TAGS = ['include', 'render', 'layout', 'block'];

// Characters written and steps done count against memoryLimit, so that the same template is refused on every machine; the
// time is for what no count catches.
const LIMITS = { parseLimit: 100_000, memoryLimit: 1_000_000, renderLimit: 1_000 };

/** What a step counts: with it, the count ends a template long before the time does. */
const STEP = 100;

const inJson = engine((value) => JSON.stringify(toText(value)).slice(1, -1));
const bare = engine(toText);

/**
 * Reads a template; throws where it is broken. What its `{{ }}` print becomes the inside of a JSON string, as the vendor does
 * for JSON bodies; or comes as it is.
 */
export function parseTemplate(source: string, output: 'json' | 'bare' = 'json'): Template[] {
  return (output === 'json' ? inJson : bare).parse(source);
}

/** What a template makes of a ticket; throws when it takes too long or makes too much. */
export function renderTemplate(template: Template[], ticket: Ticket, renderContext: RenderContext): string {
  return inJson.renderSync(template, ticketScope(ticket, renderContext)) as string;
}

/** A text with placeholders that are not of a ticket. */
export function renderText(template: string, scope: Record<string, unknown>): string {
  return bare.parseAndRenderSync(template, scope) as string;
}

function engine(outputEscape: (value: unknown) => string): Liquid {
  const options = { outputEscape, ownPropertyOnly: true, timezoneOffset: 0, locale: 'en-US', templates: {}, ...LIMITS };
  const liquid = new Liquid(options);
  for (const name of Object.keys(liquid.filters)) if (!FILTERS.includes(name)) delete liquid.filters[name];
  for (const name of FILE_TAGS) delete liquid.tags[name];
  const { renderer } = liquid;
  const renderTemplates = renderer.renderTemplates.bind(renderer);
  renderer.renderTemplates = (templates, context, emitter = countingEmitter(context)) => {
    context.memoryLimit.use(STEP * (templates.length + 1));
    return renderTemplates(templates, context, emitter);
  };
  return liquid;
}

/** Counts what is written, so that loops without end stop early and not at the end of the memory. */
function countingEmitter({ memoryLimit }: Context): Emitter {
  const emitter = {
    buffer: '',
    write(html: unknown) {
      const text = toText(html);
      memoryLimit.use(text.length);
      emitter.buffer += text;
    },
  };
  return emitter;
}

function toText(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
