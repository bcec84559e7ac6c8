import assert from 'node:assert/strict';
import type { IntegrationDetail } from '@steward/contract/integrations';
import type { Verification, VerificationChoice } from '@steward/contract/integrations/verification';
import { describe, it } from 'vitest';
import {
  describeSecret,
  findChoice,
  getWebhookValues,
  isShown,
  isWebhookChanged,
  toWebhookBody,
} from './verification.form.ts';

const HMAC: Verification = {
  method: 'hmac',
  header: 'x-signature',
  prefix: 'sha256=',
  timestamp_header: '',
  separator: '.',
  tolerance: 300,
};
const CHOICES: VerificationChoice[] = [
  { label: 'Bearer', hint: '', secret_from: 'either', fields: [], verification: { ...HMAC, method: 'bearer' } },
  {
    label: 'HMAC',
    hint: '',
    secret_from: 'either',
    fields: ['header', 'prefix', 'timestamp_header', 'separator', 'tolerance'],
    verification: HMAC,
  },
];
const CHOICE = CHOICES[1] as VerificationChoice;
const detail = { verification: HMAC, verifications: CHOICES } as IntegrationDetail;

describe('the settings of a webhook', () => {
  it('start with those of the server, and are unchanged until they are edited', () => {
    const values = getWebhookValues(detail);
    assert.deepEqual(values, { verification: HMAC, secret: '', isRotated: false });
    assert.ok(values && !isWebhookChanged({ ...values }, values));
    assert.ok(isWebhookChanged({ ...values, secret: 'x' }, values));
    assert.ok(isWebhookChanged({ ...values, verification: { ...HMAC, header: 'x-other' } }, values));
    assert.equal(getWebhookValues(undefined), undefined);
    assert.equal(getWebhookValues({ ...detail, verification: null }), undefined);
  });

  it('are sent with a secret only if one was entered, and without spaces around it', () => {
    assert.deepEqual(toWebhookBody({ verification: HMAC, secret: ' ', isRotated: false }), { verification: HMAC });
    assert.deepEqual(toWebhookBody({ verification: HMAC, secret: ' a b\n', isRotated: true }), {
      verification: HMAC,
      secret: 'a b',
      rotate_secret: true,
    });
  });

  it('show the fields of a signed time only if a time is signed', () => {
    const shown = (values: Verification) => CHOICE.fields.filter((field) => isShown(field, CHOICE, values));
    assert.deepEqual(shown(HMAC), ['header', 'prefix', 'timestamp_header']);
    assert.deepEqual(shown({ ...HMAC, timestamp_header: 'x-time' }), CHOICE.fields);
    const bearer = findChoice(CHOICES, 'bearer');
    assert.ok(bearer && !isShown('header', bearer, HMAC));
    assert.equal(findChoice(CHOICES, 'token'), undefined);
  });
});

it('the use of the secret is described for each method', () => {
  assert.equal(describeSecret({ ...HMAC, method: 'bearer' }), 'Sent as Authorization: Bearer …');
  assert.equal(describeSecret({ ...HMAC, method: 'token' }), 'Sent in the header x-signature');
  assert.equal(describeSecret(HMAC), 'Signs each request in the header x-signature');
  assert.match(describeSecret({ ...HMAC, timestamp_header: 'x-time' }), /, with the time in x-time$/);
  assert.match(describeSecret({ ...HMAC, method: 'standard' }), /standardwebhooks\.com/);
});
