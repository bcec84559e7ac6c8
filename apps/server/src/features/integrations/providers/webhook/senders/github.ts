import { type Sender, verifiedBy } from './sender.ts';

export const GITHUB: Sender = {
  code: 'github',
  name: 'GitHub',
  verifications: [
    {
      label: 'Signature',
      hint: 'GitHub signs each request with the secret that you enter there.',
      secret_from: 'server',
      fields: [],
      verification: verifiedBy('hmac', { header: 'x-hub-signature-256', prefix: 'sha256=' }),
    },
  ],
  // GitHub sends the same one when someone redelivers an event there.
  eventIds: ['x-github-delivery'],
  defaultTemplate: `{%- assign event = headers["x-github-event"] | default: "event" | replace: "_", " " -%}
{%- assign item = pull_request | default: issue | default: discussion | default: release | default: workflow_run | default: check_run | default: alert -%}
{%- assign state = item.conclusion | default: deployment_status.state | default: review.state | default: action -%}
{%- if pull_request.merged and action == "closed" %}{% assign state = "merged" %}{% endif -%}
{%- assign link = comment.html_url | default: review.html_url | default: item.html_url | default: compare | default: deployment_status.target_url | default: repository.html_url -%}
**{{ repository.full_name | default: organization.login | default: "GitHub" }}**: {{ event }}{% if state %} {{ state }}{% endif %}
{%- if ref and commits %} to {{ ref | remove: "refs/heads/" | remove: "refs/tags/" }}{% endif %} by {{ sender.login | default: pusher.name | default: "GitHub" }}
{%- if item %}
{% if item.number %}#{{ item.number }} {% endif %}{{ item.title | default: item.display_title | default: item.name | default: item.tag_name | default: item.rule.description }}
{%- endif -%}
{%- for commit in commits limit: 5 %}
- {{ commit.message | split: "\\n" | first }} ({{ commit.author.name }})
{%- endfor -%}
{%- if commits.size > 5 %}
- and {{ commits.size | minus: 5 }} more
{%- endif -%}
{%- if comment or review.body %}
{{ comment.body | default: review.body | truncate: 300 }}
{%- endif -%}
{%- if zen %}
The webhook is connected. {{ zen }}
{%- endif %}
{{ link }}`,
  sample: {
    headers: { 'x-github-event': 'pull_request', 'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' },
    payload: {
      action: 'closed',
      number: 1284,
      pull_request: {
        html_url: 'https://github.com/acme/shop/pull/1284',
        number: 1284,
        state: 'closed',
        title: 'Retry payments after a timeout',
        body: 'Payments that time out are sent again with the same key.',
        merged: true,
        user: { login: 'grace', html_url: 'https://github.com/grace' },
        head: { ref: 'retry-payments', sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e' },
        base: { ref: 'main', sha: '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c' },
      },
      repository: {
        id: 1296269,
        name: 'shop',
        full_name: 'acme/shop',
        private: true,
        html_url: 'https://github.com/acme/shop',
        default_branch: 'main',
      },
      organization: { login: 'acme' },
      sender: { login: 'ada', html_url: 'https://github.com/ada', type: 'User' },
    },
  },
};
