import { type Sender, verifiedBy } from './sender.ts';

/** Any service that follows standardwebhooks.com. */
export const STANDARD_WEBHOOKS: Sender = {
  code: 'standard',
  name: 'Standard Webhooks',
  verifications: [
    {
      label: 'Signature',
      hint: 'The service signs each request and its time. It shows a secret, such as whsec_…, once it knows the address.',
      secret_from: 'sender',
      fields: [],
      verification: verifiedBy('standard'),
    },
  ],
  eventIds: ['webhook-id'],
  defaultTemplate: `{%- assign about = data | default: payload -%}
{%- assign title = about.title | default: about.name | default: about.subject | default: about.summary | default: about.message -%}
**{{ type | default: "Event" }}**{% if title %} {{ title }}{% endif %}
{%- for pair in about %}
{%- if pair[1] and pair[1] != "" and pair[1] != title %}
{{ pair[0] }}: {{ pair[1] }}
{%- endif %}
{%- endfor %}`,
  sample: {
    headers: { 'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek', 'webhook-timestamp': '1772445077' },
    payload: {
      type: 'invoice.paid',
      timestamp: '2026-03-02T09:51:17Z',
      data: {
        id: 'inv_1284',
        status: 'paid',
        customer: 'Customer Ltd',
        amount: '1,200.00 USD',
        url: 'https://billing.example.com/invoices/inv_1284',
      },
    },
  },
};
