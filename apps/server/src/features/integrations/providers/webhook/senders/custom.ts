import { type Sender, verifiedBy } from './sender.ts';

/** Any other service that sends JSON. */
export const CUSTOM: Sender = {
  code: 'webhook',
  name: 'Incoming webhook',
  verifications: [
    {
      label: 'Bearer token',
      hint: 'The service sends the secret as Authorization: Bearer.',
      secret_from: 'either',
      fields: [],
      verification: verifiedBy('bearer'),
    },
    {
      label: 'Token in a header of its own',
      hint: 'The service sends the secret in another header.',
      secret_from: 'either',
      fields: ['header'],
      verification: verifiedBy('token'),
    },
    {
      label: 'HMAC-SHA256 signature',
      hint: 'The service signs the body, and perhaps the time, with the secret. The signature may be in hex or base64.',
      secret_from: 'either',
      fields: ['header', 'prefix', 'timestamp_header', 'separator', 'tolerance'],
      verification: verifiedBy('hmac', { prefix: 'sha256=' }),
    },
    {
      label: 'Standard Webhooks',
      hint: 'The service signs its requests as standardwebhooks.com describes.',
      secret_from: 'either',
      fields: ['tolerance'],
      verification: verifiedBy('standard'),
    },
  ],
  eventIds: ['webhook-id', 'idempotency-key', 'x-github-delivery', 'x-delivery-id'],
  chainId: 'x-gitlab-event-uuid',
  defaultTemplate: `{%- assign text = title | default: text | default: message | default: summary | default: name -%}
**{{ text | default: event | default: type | default: "Event" }}**
{%- unless text %}{% for pair in payload %}
{{ pair[0] }}: {{ pair[1] }}
{%- endfor %}{% endunless %}
{{ url | default: link }}`,
  sample: {
    headers: {},
    payload: {
      event: 'build_failed',
      title: 'Build 1284 failed',
      status: 'failed',
      url: 'https://ci.example.com/builds/1284',
      author: { name: 'Ada Admin', email: 'ada@acme.example' },
      items: ['lint', 'test'],
    },
  },
};
