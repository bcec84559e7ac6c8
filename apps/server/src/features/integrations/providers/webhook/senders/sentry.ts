import { type Sender, verifiedBy } from './sender.ts';

export const SENTRY: Sender = {
  code: 'sentry',
  name: 'Sentry',
  verifications: [
    {
      label: 'Signature',
      hint: 'Sentry signs each request with the Client Secret of an internal integration.',
      secret_from: 'sender',
      fields: [],
      // Sentry sends a time too, but doesn't sign it.
      verification: verifiedBy('hmac', { header: 'sentry-hook-signature' }),
    },
  ],
  eventIds: ['request-id'],
  defaultTemplate: `{%- assign item = data.event | default: data.issue | default: data.error | default: data.metric_alert -%}
{%- assign title = data.description_title | default: item.title | default: data.triggered_rule | default: item.alert_rule.name -%}
{%- assign project = item.project.slug | default: item.project_slug | default: data.project_slug | default: item.projects[0] -%}
**Sentry{% if project %}, {{ project }}{% endif %}**: {{ headers["sentry-hook-resource"] | default: "event" | replace: "_", " " }} {{ action }}{% if actor.name %} by {{ actor.name }}{% endif %}
{{ title }}
{%- if data.comment %}{{ data.comment | truncate: 300 }}{% endif -%}
{%- if item.culprit and item.culprit != "" %}
in {{ item.culprit }}
{%- endif -%}
{%- if data.description_text %}
{{ data.description_text }}
{%- endif -%}
{%- if data.triggered_rule %}
Rule: {{ data.triggered_rule }}
{%- endif %}
{{ data.web_url | default: item.web_url | default: item.permalink }}`,
  sample: {
    headers: { 'sentry-hook-resource': 'event_alert', 'request-id': '4f9a2b1c6d7e4f8fa1b2c3d4e5f60718' },
    payload: {
      action: 'triggered',
      installation: { uuid: 'a8e5d37a-696c-4c54-adb5-b3f28d64c7de' },
      actor: { id: 'sentry', name: 'Sentry', type: 'application' },
      data: {
        event: {
          event_id: 'e4874d664c3540c1a32eab185f12c5ab',
          title: 'ReferenceError: total is not defined',
          culprit: 'checkout(cart)',
          level: 'error',
          platform: 'javascript',
          datetime: '2026-03-02T21:06:17.403000Z',
          issue_id: '1117540176',
          project: 1,
          url: 'https://sentry.io/api/0/projects/acme/shop/events/e4874d664c3540c1a32eab185f12c5ab/',
          issue_url: 'https://sentry.io/api/0/issues/1117540176/',
          web_url: 'https://sentry.io/organizations/acme/issues/1117540176/events/e4874d664c3540c1a32eab185f12c5ab/',
        },
        triggered_rule: 'A new issue in production',
      },
    },
  },
};
